import {
  baseAddress,
  between,
  cookieSecrets,
  evmAddress,
  hostList,
  oneOf,
  pathPrices,
  port,
  positive,
  safeAddress,
  text,
} from './kinds.ts'
import type { Section } from './variable.ts'

export const API = {
  API_HOST: { value: text, default: '127.0.0.1', readBy: 'api', text: 'Address to listen on' },
  API_PORT: {
    value: port,
    default: '8080',
    readBy: 'cli, api',
    text: 'Port to listen on. If it is taken, `npm start` uses the next free port and says so',
  },
  API_CACHE_MB: {
    value: between(1, 4_096),
    default: '128',
    readBy: 'api, gateway',
    text: 'Megabytes of answers that each process keeps until their data changes: pages of wallets, and answers that all callers share',
  },
  FIRST_READ_WAIT_SECONDS: {
    value: between(0, 30),
    default: '8',
    readBy: 'api, gateway',
    text: 'Seconds that the first read of a wallet waits for its balances: [consumer.md](consumer.md#first-reads)',
  },
  TRUSTED_PROXIES: {
    value: text,
    readBy: 'api, gateway, issuer',
    text: 'Addresses and networks of proxies, comma-separated, whose `X-Forwarded-For` is trusted; `loopback`, `linklocal` and `uniquelocal` stand for private networks. Without it, all clients behind a proxy count as one',
  },
} as const satisfies Section

export const WEBHOOKS = {
  WEBHOOK_ALLOWED_HOSTS: {
    value: hostList,
    shown: 'none',
    readBy: 'api, worker',
    text: 'Hosts in a private network that webhooks may reach, comma-separated: `hooks.internal` or, with a port, `10.0.0.7:9000`; also without TLS. All others must be public: [events.md](events.md#which-addresses-are-reached)',
  },
} as const satisfies Section

export const MCP = {
  SLUICE_URL: {
    value: baseAddress,
    shown: 'the API that runs from `SLUICE_HOME`',
    readBy: 'cli',
    text: 'Address of the API for agents, with `/v1`',
  },
  SLUICE_API_KEY: {
    value: text,
    readBy: 'cli',
    text: 'Key for calls over stdio. Over HTTP each request brings its own key',
  },
} as const satisfies Section

export const GATEWAY = {
  GATEWAY_HOST: { value: text, default: '127.0.0.1', readBy: 'gateway', text: 'Address to listen on' },
  GATEWAY_PORT: {
    value: port,
    default: '8402',
    readBy: 'cli, gateway',
    text: 'Port to listen on. If it is taken, `npm start` uses the next free port and says so',
  },
  X402_PUBLIC_URL: {
    value: baseAddress,
    shown: '`npm start`: the address it listens on',
    readBy: 'cli, gateway',
    text: 'Address at which clients reach the gateway. Challenges contain it and cookies are bound to it; with `https:` cookies are `Secure`',
  },
  X402_PAY_TO: { value: evmAddress, readBy: 'cli, gateway', text: 'Address on Base that receives payments' },
  X402_FACILITATOR_URL: {
    value: safeAddress,
    readBy: 'cli, gateway',
    text: 'Facilitator that verifies and settles payments; `https:`, unless on this machine',
  },
  X402_FACILITATOR_TOKEN: { value: text, readBy: 'gateway', text: 'Bearer token for the facilitator' },
  X402_RPC_URL: {
    value: safeAddress,
    readBy: 'gateway',
    text: 'Node of Base. The gateway uses it to check unclear payments and to find payers that are contracts; `https:`, unless on this machine',
  },
  X402_PRICING: {
    value: oneOf('flat', 'multiplied'),
    default: 'flat',
    readBy: 'gateway, api',
    text: '`flat`: the price of the path. `multiplied`: that price times the credit multipliers of the call',
  },
  X402_ALSO_SELLS: {
    value: pathPrices,
    readBy: 'gateway, api',
    text: 'Calls to sell besides [the price list](gateway.md#what-is-sold), as `PATH=USDC`, comma-separated: `/nft/trending=0.001,/coins/charts=0.002`',
  },
  X402_COOKIE_SECRETS: {
    value: cookieSecrets,
    shown: '`npm start`: its own',
    readBy: 'cli, gateway',
    text: '`kid:secret`, comma-separated, newest first. The first one signs, all are accepted. Each secret has 32 characters or more',
  },
  X402_COOKIE_SCOPE: {
    value: oneOf('tier', 'route', 'url'),
    default: 'tier',
    readBy: 'gateway',
    text: 'What a cookie allows: calls at its price or below (`tier`), calls of the same `route`, or only the paid `url`',
  },
  X402_REPLAY_SECONDS: {
    value: between(10, 3_600),
    default: '300',
    readBy: 'gateway',
    text: 'Seconds after settlement, 10 to 3600, in which a repeated payment gets its stored answer. It never gets a cookie',
  },
  X402_SETTLED_ELSEWHERE: {
    value: oneOf('refuse', 'serve'),
    default: 'refuse',
    readBy: 'gateway',
    text: 'What to do with a payment that was settled before it reached the gateway: `refuse` it, or `serve` it once',
  },
  X402_REORG_BLOCKS: {
    value: between(1, 1_000),
    default: '450',
    readBy: 'gateway',
    text: 'Newest blocks, 1 to 1000, whose settled payments are checked again for reorgs; needs `X402_RPC_URL`',
  },
  X402_COOKIE_RPS: {
    value: positive(100_000),
    default: '10',
    readBy: 'gateway',
    text: 'Calls per second with one cookie, per process',
  },
} as const satisfies Section
