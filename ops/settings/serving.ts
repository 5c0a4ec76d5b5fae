import {
  baseAddress,
  between,
  cookieSecrets,
  evmAddress,
  oneOf,
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
    text: 'Port to listen on. `npm start` takes the next free one when it is taken, and says so',
  },
  TRUSTED_PROXIES: {
    value: text,
    readBy: 'api, gateway',
    text: 'Addresses and networks, comma-separated, whose `X-Forwarded-For` says where a request comes from; `loopback`, `linklocal` and `uniquelocal` name private ones. Behind a proxy without it all clients count as one',
  },
} as const satisfies Section

export const MCP = {
  SLUICE_URL: {
    value: baseAddress,
    shown: 'the API that runs from `SLUICE_HOME`',
    readBy: 'cli',
    text: 'API that agents are given, with `/v1`',
  },
  SLUICE_API_KEY: {
    value: text,
    readBy: 'cli',
    text: 'Over stdio: the key that calls are made with. Over HTTP each request brings its own',
  },
} as const satisfies Section

export const GATEWAY = {
  GATEWAY_HOST: { value: text, default: '127.0.0.1', readBy: 'gateway', text: 'Address to listen on' },
  GATEWAY_PORT: {
    value: port,
    default: '8402',
    readBy: 'cli, gateway',
    text: 'Port to listen on. `npm start` takes the next free one when it is taken, and says so',
  },
  X402_PUBLIC_URL: {
    value: baseAddress,
    shown: '`npm start`: where it listens',
    readBy: 'cli, gateway',
    text: 'How clients reach it. Stands in challenges and binds cookies; over `https:` these are `Secure`',
  },
  X402_PAY_TO: { value: evmAddress, readBy: 'cli, gateway', text: 'Address on Base that is paid' },
  X402_FACILITATOR_URL: {
    value: safeAddress,
    readBy: 'cli, gateway',
    text: 'Facilitator that verifies and settles; `https:`, unless on this machine',
  },
  X402_FACILITATOR_TOKEN: { value: text, readBy: 'gateway', text: 'Sent to it as bearer token' },
  X402_RPC_URL: {
    value: safeAddress,
    readBy: 'gateway',
    text: 'Node of Base, to find out what became of doubtful payments and which payers are contracts; `https:`, unless on this machine',
  },
  X402_PRICING: {
    value: oneOf('flat', 'multiplied'),
    default: 'flat',
    readBy: 'gateway, api',
    text: "`flat`: the price of the path. `multiplied`: that times the call's own credit multipliers",
  },
  X402_COOKIE_SECRETS: {
    value: cookieSecrets,
    shown: '`npm start`: one of its own',
    readBy: 'cli, gateway',
    text: '`kid:secret`, comma-separated, the newest first: that one signs, all are accepted. 32 characters or more each',
  },
  X402_COOKIE_SCOPE: {
    value: oneOf('tier', 'route', 'url'),
    default: 'tier',
    readBy: 'gateway',
    text: 'What a cookie opens: calls at its price or below (`tier`), those of its `route`, or the very `url` that was paid',
  },
  X402_REPLAY_SECONDS: {
    value: between(10, 3_600),
    default: '300',
    readBy: 'gateway',
    text: 'How long after its settlement a payment that is presented again gets its stored answer, 10 to 3600. It never gets a cookie',
  },
  X402_SETTLED_ELSEWHERE: {
    value: oneOf('refuse', 'serve'),
    default: 'refuse',
    readBy: 'gateway',
    text: 'A payment that was settled before it came here: `refuse` it, or `serve` it once',
  },
  X402_REORG_BLOCKS: {
    value: between(1, 1_000),
    default: '450',
    readBy: 'gateway',
    text: 'Settled payments of so many newest blocks are looked at again, 1 to 1000; needs `X402_RPC_URL`',
  },
  X402_COOKIE_RPS: {
    value: positive(100_000),
    default: '10',
    readBy: 'gateway',
    text: 'Calls a second of one cookie, on each process',
  },
} as const satisfies Section
