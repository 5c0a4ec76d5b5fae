import { describe, expect, test } from 'vitest'
import { AREAS } from '../../activities/all-areas.ts'
import { trySetting } from '../../cli/setup/try-setting.ts'
import { stopLater } from '../upstreams/actors.ts'
import { startDouble } from '../upstreams/double.ts'

const VALUE = 'our-key:our-secret'
const keyed = AREAS.flatMap(({ sources }) => sources.filter(({ key }) => key !== undefined))
/** Where sources share a key, the first of them is asked. */
const firstAsked = [...Map.groupBy(keyed, ({ key }) => key!.variable)].map(
  ([variable, [spec]]) => [variable, spec!] as const,
)

test.each(firstAsked)(
  'the test call of %s carries it, and a refusal does not show it',
  async (name, { name: source, urlVariable }) => {
    // GoPlus says it by the code.
    const refusal = { status: 401, body: { code: 4012, message: `the key ${VALUE} is not ours` } }
    const double = stopLater(await startDouble(() => refusal))
    const verdict = await trySetting({ name, value: VALUE }, { [urlVariable]: double.url })
    expect(verdict).toMatchObject({ state: 'refused', said: expect.stringMatching(`^${source} refuses it`) })
    expect(JSON.stringify(verdict)).not.toContain('our-key')
    const [one] = double.asked
    const sent = [one!.path, one!.query.toString(), one!.body, JSON.stringify(one!.headers)].join()
    expect(sent).toContain('our-key')
  },
)

describe('nodes', () => {
  /** A node of a chain behind a key. */
  const startNode = async (chainId: number) =>
    stopLater(
      await startDouble(({ path, body }) => {
        if (path !== '/v2/long-enough-key') return { status: 401, body: `no app ${path}` }
        const { id } = JSON.parse(body) as { id: number }
        return { body: { jsonrpc: '2.0', id, result: `0x${chainId.toString(16)}` } }
      }),
    )
  const name = 'RPC_URL_BASE_WALLET'

  test('each says which chain it serves', async () => {
    const nodes = [await startNode(8453), await startNode(8453)]
    const value = nodes.map(({ url }) => `${url}/v2/long-enough-key`).join(', ')
    const [one, two] = nodes.map(({ url }) => `the node at ${new URL(url).host}`)
    expect(await trySetting({ name, value }, {})).toEqual({
      state: 'works',
      said: `${one} serves chain 8453, ${two} serves chain 8453`,
    })
  })

  test('one of another network is refused by name', async () => {
    const nodes = [await startNode(8453), await startNode(1)]
    const value = nodes.map(({ url }) => `${url}/v2/long-enough-key`).join(', ')
    expect(await trySetting({ name, value }, {})).toEqual({
      state: 'refused',
      said: `the node at ${new URL(nodes[1]!.url).host} serves chain 1, and ${name} needs chain 8453`,
    })
  })

  test('one that refuses the key in an address does not show it', async () => {
    const { url } = await startNode(8453)
    const { state, said } = await trySetting({ name, value: `${url}/v2/another-wrong-key` }, {})
    expect(state).toBe('refused')
    expect(said).toContain(`the node at ${new URL(url).host} refuses it`)
    expect(said).not.toContain('another-wrong-key')
  })
})
