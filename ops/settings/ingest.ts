import {
  baseAddress,
  evmAddress,
  hostUnits,
  port,
  positive,
  text,
  walletKey,
  webAddress,
  whole,
} from './kinds.ts'
import type { Section } from './variable.ts'

export const AS_OF = {
  AS_OF_DAYS: {
    value: whole(99_999),
    default: '400',
    readBy: 'worker',
    text: 'Days that replaced rows are kept, so how far back `asOf` can go: [consumer.md](consumer.md#answers-of-the-past)',
  },
} as const satisfies Section

export const NODES = {
  NODE_BUDGETS: {
    value: hostUnits,
    shown: "the vendors' free plans",
    readBy: 'worker',
    text: 'Units that a node may spend in a day, as `HOST=UNITS`, or in a day and in a second, as `HOST=UNITS@RATE`; comma-separated. A host also stands for the hosts below it: `alchemy.com=30000000@10000,node.internal=500000`. Units are compute units of Alchemy and dRPC, credits of Infura, and calls of all others. Following the head gets 60 % of them, balances 20 %, history 20 %',
  },
} as const satisfies Section

export const NETWORKS = {
  EXTRA_NETWORKS: {
    value: text,
    readBy: 'worker',
    text: 'Networks beyond those of `all` whose wallets are read by public nodes, comma-separated, for example `gnosis-wallet,linea-wallet`: [coverage.md](coverage.md#networks-that-you-turn-on). One with its own `RPC_URL_<NETWORK>` is on without it',
  },
} as const satisfies Section

export const FOLLOW = {
  FOLLOW_NETWORKS: {
    value: text,
    shown: 'with live sources, Bitcoin and EVM networks with nodes',
    readBy: 'worker',
    text: 'Networks whose head is followed instead of polling each wallet, comma-separated, for example `ethereum,base-wallet`; `none` for no network. Each needs its `RPC_URL_<NETWORK>`, and `bitcoin` its Esplora: [operator.md](operator.md#follow-the-head-of-a-network)',
  },
  WALLET_DAILY_LIMIT: {
    value: whole(10_000_000),
    default: '50000',
    readBy: 'worker',
    text: 'Transactions of a followed wallet in a UTC day. A wallet with more, such as one of an exchange, is paused until the next day, and its status says so',
  },
} as const satisfies Section

export const EXPORTS = {
  EXPORT_TO: {
    value: text,
    readBy: 'cli, worker',
    text: 'Folder, or `s3://BUCKET/PREFIX`, for the exports for analysts: [deployment.md](deployment.md#exports). If set, the worker exports every hour. If not, `sluice export` writes to `SLUICE_HOME/export`',
  },
  S3_ENDPOINT: {
    value: webAddress,
    shown: 'AWS',
    readBy: 'cli, worker',
    text: 'Address of another S3-compatible store, for example `https://minio.internal:9000`',
  },
  AWS_ACCESS_KEY_ID: {
    value: text,
    readBy: 'cli, worker',
    text: 'Access key of the store; required with `s3://`',
  },
  AWS_SECRET_ACCESS_KEY: {
    value: text,
    readBy: 'cli, worker',
    text: 'Secret key of the store; required with `s3://`',
  },
  AWS_REGION: { value: text, default: 'us-east-1', readBy: 'cli, worker', text: 'Region of the store' },
} as const satisfies Section

export const SANDBOX = {
  PORT: { value: port, default: '0', shown: 'any', readBy: 'sandbox', text: 'Port of the simulator' },
  SANDBOX_ANCHOR: {
    value: whole(4_294_967_295),
    shown: 'last midnight',
    readBy: 'sandbox',
    text: 'Unix seconds around which the simulated world is built. The supervisor keeps those of the first start in `SLUICE_HOME/sandbox-anchor`',
  },
  SANDBOX_SEED: {
    value: whole(4_294_967_295),
    default: '7',
    readBy: 'sandbox',
    text: 'Seed of prices and chains',
  },
  SANDBOX_SCALE: {
    value: positive(1_000),
    default: '1',
    readBy: 'sandbox',
    text: 'Factor on the number of operations on the chains',
  },
} as const satisfies Section

export const FACILITATOR = {
  FACILITATOR_PORT: {
    value: port,
    default: '0',
    shown: 'any',
    readBy: 'facilitator',
    text: 'Port to listen on at 127.0.0.1',
  },
  FACILITATOR_KEY: {
    value: walletKey,
    readBy: 'facilitator',
    text: 'Private key of the wallet that settles and pays gas',
  },
  FACILITATOR_TEST_PAYER: {
    value: evmAddress,
    readBy: 'facilitator',
    text: 'Address that gets test USDC',
  },
} as const satisfies Section

export const ISSUER = {
  ISSUER_URL: {
    value: baseAddress,
    readBy: 'cli, api',
    text: 'Address at which browsers and the API reach the embedded OpenID provider, without a path: `https://id.example`. Default of `npm start`: its port on 127.0.0.1. If `OIDC_ISSUER` is the same, the users are those of [account.md](account.md#the-embedded-issuer)',
  },
  ISSUER_HOST: { value: text, default: '127.0.0.1', readBy: 'issuer', text: 'Address to listen on' },
  ISSUER_PORT: {
    value: port,
    default: '18081',
    readBy: 'cli, issuer',
    text: 'Port to listen on. If it is taken, `npm start` uses the next free port and says so',
  },
  ISSUER_KEYS: {
    value: text,
    readBy: 'issuer',
    text: 'File with its signing keys; created if it is missing',
  },
  ISSUER_SEALING_KEYS: {
    value: text,
    readBy: 'cli, issuer',
    text: 'Private keys that decrypt the secrets of the apps with which users make codes, comma-separated, newest first. `sluice users new-key` makes one. `npm start` keeps one in `SLUICE_HOME/secrets.json`',
  },
  DEMO_SUBJECT: {
    value: text,
    readBy: 'api',
    text: 'User whose portfolios everybody may see under `/demo`. `npm start` sets it for its demo account; it needs sandbox sources',
  },
  ISSUER_PASSWORD: {
    value: text,
    readBy: 'issuer',
    text: 'Password of the user `demo` of the sandbox, which `npm start` prints',
  },
  ISSUER_OPERATOR_PASSWORD: {
    value: text,
    readBy: 'issuer',
    text: 'Password of the user `operator` of the sandbox, which `npm start` prints',
  },
  ISSUER_SHELL_SECRET: {
    value: text,
    readBy: 'issuer',
    text: 'Secret of the client with which a shell gets tokens in the sandbox',
  },
} as const satisfies Section
