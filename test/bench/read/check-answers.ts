import { FIRST_WALLET } from './seed.ts'
import type { BenchServer } from './servers.ts'

const SAMPLE = 20
const sample = Array.from({ length: SAMPLE }, (_, index) => FIRST_WALLET + index)
const addressOf = (wallet: number) => `0x${wallet.toString(16).padStart(40, '0')}`

export const pageUrl = (server: BenchServer, wallet: number) =>
  `${server.url}/v1/wallet/transactions?address=${addressOf(wallet)}&connectionId=ethereum&limit=20&page=1`

async function page(server: BenchServer, wallet: number, key: string): Promise<string> {
  const response = await fetch(pageUrl(server, wallet), { headers: { 'x-api-key': key } })
  const body = await response.text()
  if (response.status !== 200) throw new Error(`${server.url} answers ${response.status}: ${body}`)
  return body
}

interface Page {
  result: { hash: { id: string } }[]
}

const hashesOf = (body: string) => (JSON.parse(body) as Page).result.map(({ hash }) => hash.id).join()

/**
 * Checks that the API without charge returns the same bytes, and the plain server the same transactions.
 * Throws otherwise.
 */
export async function checkRest(servers: {
  api: BenchServer
  free: BenchServer
  plain: BenchServer
  key: string
}): Promise<void> {
  const { api, free, plain, key } = servers
  for (const wallet of sample) {
    const body = await page(api, wallet, key)
    if ((JSON.parse(body) as Page).result.length !== 20)
      throw new Error('a page does not have 20 transactions')
    if ((await page(free, wallet, key)) !== body)
      throw new Error('the API without charge answers differently')
    if (hashesOf(await page(plain, wallet, key)) !== hashesOf(body))
      throw new Error('the plain server returns different transactions')
  }
}

/** Checks that PostGraphile returns the same transactions. Throws otherwise. */
export async function checkGraphQl(servers: {
  api: BenchServer
  peer: BenchServer
  key: string
}): Promise<void> {
  const { api, peer, key } = servers
  for (const wallet of sample) {
    const query = `{ transactions(ofAddress: "${addressOf(wallet)}", ofNetwork: "ethereum", first: 20) {
      nodes { hash } } }`
    const response = await fetch(`${peer.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const body = await response.text()
    const answer = JSON.parse(body) as { data?: { transactions?: { nodes: { hash: string }[] } } }
    const nodes = answer.data?.transactions?.nodes
    if (!nodes) throw new Error(`PostGraphile answers ${body.slice(0, 200)}`)
    if (nodes.map(({ hash }) => hash).join() !== hashesOf(await page(api, wallet, key)))
      throw new Error('PostGraphile returns different transactions')
  }
}
