import { createHash } from 'node:crypto'
import { tokens, type SandboxToken } from '../chain/tokens.ts'
import { hashText } from '../market/noise.ts'
import { ok, type Upstream, type UpstreamReply, type UpstreamRequest } from '../upstream.ts'

const chains: Record<string, SandboxToken['network'] | null> = {
  '1': 'ethereum',
  '8453': 'base-wallet',
  '10': null,
  '56': null,
  '137': null,
  '42161': null,
  '43114': null,
}
const appKey = 'sandbox'
const appSecret = 'sandbox-secret'
const accessToken = 'Bearer sandbox-access'
const zero = '0x0000000000000000000000000000000000000000'

const say = (code: number, message: string, result: unknown = null): UpstreamReply =>
  ok({ code, message, result })

/** Rights that the issuers of the real tokens of these names have. */
const rights: Record<string, string[]> = {
  USDC: ['is_mintable', 'is_blacklisted', 'transfer_pausable', 'is_proxy'],
  USDT: ['is_mintable', 'is_blacklisted', 'transfer_pausable', 'slippage_modifiable'],
  WBTC: ['is_mintable', 'transfer_pausable'],
  AAVE: ['is_proxy'],
  TAXED: ['slippage_modifiable', 'is_whitelisted', 'is_anti_whale', 'trading_cooldown'],
  DROP: ['is_mintable', 'hidden_owner'],
}
const flags = [
  'is_honeypot',
  'owner_change_balance',
  'cannot_sell_all',
  'hidden_owner',
  'can_take_back_ownership',
  'selfdestruct',
  'honeypot_with_same_creator',
  'personal_slippage_modifiable',
  'is_mintable',
  'slippage_modifiable',
  'is_blacklisted',
  'transfer_pausable',
  'is_proxy',
  'is_whitelisted',
  'trading_cooldown',
  'external_call',
  'is_anti_whale',
  'cannot_buy',
]

/** Returns the fields of a token; null: it is not indexed. */
function describe(token: SandboxToken, seed: number): Record<string, unknown> | null {
  const { key, address } = token
  if (token.kind === 'erc721' || key === 'FERN') return null
  const holders = 100 + (hashText(seed, address) % 2_000_000)
  const about = {
    token_name: token.name,
    token_symbol: token.symbol,
    holder_count: String(holders),
    total_supply: String(hashText(seed, `supply of ${address}`)),
    creator_address: address.replace(/^0x./, '0xc'),
    holders: [
      { address: zero, tag: 'Null Address', is_contract: 0, balance: '1', percent: '0.1', is_locked: 1 },
    ],
    dex: [{ liquidity_type: 'UniV2', name: 'UniswapV2', liquidity: '1250000.5', pair: zero }],
  }
  // For unpublished code most is unknown: the fields are empty or missing.
  if (token.kind === 'spam')
    return { ...about, is_open_source: '0', is_airdrop_scam: '1', is_honeypot: '', buy_tax: '', sell_tax: '' }
  if (key === 'NODEC' || token.kind === 'bytes32')
    return { ...about, is_open_source: '1', is_mintable: '', buy_tax: '', sell_tax: '', owner_address: '' }
  const fee = String(token.feeBps / 10_000)
  const owned = (rights[key] ?? []).length > 0
  return {
    ...about,
    is_open_source: '1',
    is_in_dex: '1',
    ...Object.fromEntries(flags.map((flag) => [flag, rights[key]?.includes(flag) ? '1' : '0'])),
    buy_tax: fee,
    sell_tax: fee,
    owner_address: owned ? address.replace(/^0x./, '0xa') : zero,
    ...(token.coinId !== null && !token.coinId.startsWith('llama:') && { trust_list: '1' }),
  }
}

/**
 * Simulates GoPlus' API: one address per call without an access token, 100 with one; every answer has status
 * 200.
 */
export function createGoPlus({ seed }: { seed: number }): Upstream {
  function grant({ method, bodyText }: UpstreamRequest): UpstreamReply {
    if (method !== 'POST') return say(5006, 'Param error!')
    const given = JSON.parse(bodyText) as { app_key: string; sign: string; time: number }
    if (given.app_key !== appKey) return say(4010, 'App_key not exist')
    const sign = createHash('sha1').update(`${appKey}${given.time}${appSecret}`).digest('hex')
    if (given.sign !== sign) return say(4012, 'Wrong Signature')
    return say(1, 'ok', { access_token: accessToken, expires_in: 7200 })
  }

  return (request) => {
    const { path, query, headers } = request
    const [api, version, service, chainId = ''] = path
    if (api !== 'api' || version !== 'v1') return { status: 404, body: { error: 'Not Found' } }
    if (service === 'token') return grant(request)
    if (service !== 'token_security') return { status: 404, body: { error: 'Not Found' } }
    if (!(chainId in chains)) return say(2018, 'ChainID not supported')
    const addresses = (query.get('contract_addresses') ?? '').split(',').filter(Boolean)
    if (headers['authorization'] !== undefined && headers['authorization'] !== accessToken)
      return say(4023, 'Access token not found')
    const most = headers['authorization'] === undefined ? 1 : 100
    if (addresses.length === 0 || addresses.length > most) return say(5006, 'Param error!')
    if (!addresses.every((address) => /^0x[0-9a-fA-F]{40}$/.test(address)))
      return say(2004, 'Contract address format error!')
    const known = addresses.flatMap((asked) => {
      const address = asked.toLowerCase()
      const token = tokens.find((t) => t.address === address && t.network === chains[chainId])
      const facts = token ? describe(token, seed) : null
      return facts ? [[address, facts] as const] : []
    })
    return say(1, 'OK', Object.fromEntries(known))
  }
}
