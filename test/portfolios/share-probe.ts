import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { z } from 'zod'
import { portfolioParams, selectPortfolios } from '../../api/portfolios/select-portfolios.ts'
import { shareHeaders } from '../../api/portfolios/share-params.ts'
import { defineRoute } from '../../api/route.ts'
import { setDegen } from '../../db/metering/write.ts'
import { createShare } from '../../db/portfolios/write-shares.ts'
import { SHARE_PEPPER, type TestApi } from '../setup/api.ts'

/** A route that returns the portfolios that a request selects, as all reads under /portfolio do. */
export const shareProbe = defineRoute({
  tag: 'Probe',
  summary: 'For tests',
  credits: 8,
  plan: 'any',
  x402: null,
  method: 'GET',
  path: '/probe/selected',
  query: z.object(portfolioParams),
  headers: shareHeaders,
  response: z.object({ accountId: z.string(), ids: z.array(z.string()), isWhole: z.boolean() }),
  async handler({ query, headers }, context) {
    const { accountId, portfolios, isWhole } = await selectPortfolios(context, { query, headers })
    return { body: { accountId, ids: portfolios.map(({ id }) => id), isWhole }, asOf: null }
  },
})

/** An account with Degen and manual portfolios. */
export async function sharingAccount(api: TestApi, options: { portfolios: number }) {
  const account = await api.newAccount({ credits: 1_000_000_000 })
  await setDegen(api.owner, { accountId: account.accountId, degen: true })
  const portfolioIds = Array.from({ length: options.portfolios }, () => randomUUID())
  await api.owner
    .insertInto('portfolios')
    .values(
      portfolioIds.map((id, n) => ({
        id,
        account_id: account.accountId,
        kind: 'manual' as const,
        name: `Portfolio ${n}`,
        address: null,
        network_id: null,
        created_at: new Date(Date.UTC(2026, 0, 1 + n)),
      })),
    )
    .execute()
  return { ...account, portfolioIds }
}

export const share = (api: Pick<TestApi, 'owner'>, options: { portfolioId: string; passcode?: string }) =>
  createShare(api.owner, {
    portfolioId: options.portfolioId,
    passcode: options.passcode === undefined ? null : { digits: options.passcode, pepper: SHARE_PEPPER },
    now: new Date(),
  })

/** A response without parts that differ per request: its id, the time, and the remaining rate and credits. */
export async function comparable(response: Response) {
  const { requestId: _, ...body } = (await response.json()) as Record<string, unknown>
  const moving = ['x-request-id', 'date', 'ratelimit', 'x-credits-remaining', 'x-credits-reset']
  const headers = [...response.headers].filter(([name]) => !moving.includes(name))
  return { status: response.status, body, headers }
}

/** Sends repeated headers separately; fetch would join them. */
export function getWithHeaders(
  api: TestApi,
  options: { path: string; key: string; headers: [string, string][] },
): Promise<{ status: number; body: any }> {
  const { path, key, headers } = options
  return new Promise((resolve, reject) => {
    request(
      {
        host: '127.0.0.1',
        port: api.port,
        path: `/v1${path}`,
        headers: [...headers, ['x-api-key', key], ['host', 'test']].flat(),
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('end', () => resolve({ status: response.statusCode!, body: JSON.parse(text) }))
      },
    )
      .on('error', reject)
      .end()
  })
}
