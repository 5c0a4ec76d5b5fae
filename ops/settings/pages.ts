import { baseAddress, oneOf, port, secret, text, webAddress, whole } from './kinds.ts'
import type { Section } from './variable.ts'

export const METRICS = {
  METRICS_PORT: {
    value: port,
    readBy: 'api, gateway, worker',
    text: 'Port of `/metrics`, `/healthz` and `/readyz`; without it there is none. `npm start` gives it to the API, the next one to the gateway and the one after that to the worker',
  },
  METRICS_HOST: {
    value: text,
    default: '127.0.0.1',
    readBy: 'api, gateway, worker',
    text: 'Address to listen on. Whoever reaches it sees sums of the business: no customers, no keys',
  },
  DRAIN_SECONDS: {
    value: whole(600),
    default: '0',
    readBy: 'api, gateway',
    text: 'How long a process that was told to end answers 503 at `/readyz` and still serves, for a load balancer to notice. Give `stop_grace_period` or its like as many seconds more',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    value: baseAddress,
    readBy: 'api, gateway, worker',
    text: 'OTLP/HTTP collector that traces go to (`/v1/traces` below it, JSON); without it nothing is traced',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    value: text,
    readBy: 'api, gateway, worker',
    text: '`name=value`, comma-separated, values percent-encoded: sent to it',
  },
} as const satisfies Section

export const ACCOUNT_PAGE = {
  OIDC_ISSUER: {
    value: webAddress,
    readBy: 'cli, api, issuer',
    text: '`iss` of the bearer tokens that are accepted beside keys; without it keys alone are',
  },
  OIDC_AUDIENCE: {
    value: text,
    default: 'urn:sluice:api',
    readBy: 'api, issuer',
    text: 'What `aud` of these tokens has to hold',
  },
  OIDC_TOKEN_TYPE: {
    value: oneOf('at+jwt', 'JWT'),
    default: 'at+jwt',
    readBy: 'api',
    text: '`typ` in the header of access tokens. `JWT`: the provider gives them none of their own, see [account.md](account.md#tokens)',
  },
  OIDC_CLIENT_ID: {
    value: text,
    readBy: 'api, issuer',
    text: 'The account page at the provider; without it there is no page',
  },
  OIDC_CLIENT_SECRET: { value: text, readBy: 'api, issuer', text: 'Its secret' },
  ACCOUNT_URL: {
    value: webAddress,
    readBy: 'api, issuer',
    text: 'Where browsers reach the API, for example `https://data.example`; the provider sends them back to `ACCOUNT_URL/account/callback`',
  },
  ACCOUNT_SECRET: {
    value: secret,
    readBy: 'api',
    text: 'What cookies of the page are encrypted with, 16 characters or more, the same for all API processes. `npm start` keeps one in `SLUICE_HOME/secrets.json`',
  },
} as const satisfies Section

export const CREDENTIALS = {
  EXCHANGE_KEYS: {
    value: text,
    readBy: 'cli, worker',
    text: 'Private keys, comma-separated, the newest first; all of them open',
  },
  EXCHANGE_SEAL_KEY: {
    value: text,
    readBy: 'api',
    text: 'Public half of the newest. Without it accounts cannot be connected',
  },
} as const satisfies Section

export const SHARED = {
  SHARE_PEPPER: {
    value: text,
    readBy: 'cli, api, gateway',
    text: 'What passcodes are keyed with: any text, kept secret. Without it no passcode is right',
  },
} as const satisfies Section
