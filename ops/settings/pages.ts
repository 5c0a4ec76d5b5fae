import { baseAddress, oneOf, port, secret, text, webAddress, whole } from './kinds.ts'
import type { Section } from './variable.ts'

export const METRICS = {
  METRICS_PORT: {
    value: port,
    readBy: 'api, gateway, worker',
    text: 'Port of `/metrics`, `/healthz` and `/readyz`; without it they are not served. `npm start` gives this port to the API, the next one to the gateway and the one after that to the worker',
  },
  METRICS_HOST: {
    value: text,
    default: '127.0.0.1',
    readBy: 'api, gateway, worker',
    text: 'Address to listen on. Anyone who can reach it sees business totals, but no customers and no keys',
  },
  DRAIN_SECONDS: {
    value: whole(600),
    default: '0',
    readBy: 'api, gateway',
    text: 'Seconds in which a stopping process answers 503 at `/readyz` but still serves, so that a load balancer notices. Raise `stop_grace_period` or its equivalent by as much',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    value: baseAddress,
    readBy: 'api, gateway, worker',
    text: 'OTLP/HTTP collector for traces (JSON to `/v1/traces` below this address); without it nothing is traced',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    value: text,
    readBy: 'api, gateway, worker',
    text: 'Headers for the collector: `name=value`, comma-separated, values percent-encoded',
  },
} as const satisfies Section

export const ACCOUNT_PAGE = {
  OIDC_ISSUER: {
    value: webAddress,
    readBy: 'cli, api, issuer',
    text: '`iss` of the bearer tokens that are accepted besides keys; without it only keys are accepted',
  },
  OIDC_AUDIENCE: {
    value: text,
    default: 'urn:sluice:api',
    readBy: 'api, issuer',
    text: 'Value that `aud` of these tokens must contain',
  },
  OIDC_TOKEN_TYPE: {
    value: oneOf('at+jwt', 'JWT'),
    default: 'at+jwt',
    readBy: 'api',
    text: '`typ` in the header of access tokens. Use `JWT` if the provider sets no type of its own, see [account.md](account.md#tokens)',
  },
  OIDC_CLIENT_ID: {
    value: text,
    readBy: 'api, issuer',
    text: 'Client id of the account page at the provider; without it there is no account page',
  },
  OIDC_CLIENT_SECRET: { value: text, readBy: 'api, issuer', text: 'Client secret of the account page' },
  ACCOUNT_URL: {
    value: baseAddress,
    readBy: 'api, gateway, issuer',
    text: 'Address at which browsers reach the API, for example `https://data.example`. The provider sends them back to `ACCOUNT_URL/account/callback`, and `shareURL` of news leads to a page there',
  },
  MCP_AUDIENCE: {
    value: text,
    readBy: 'api',
    text: 'Value that `aud` of the tokens of agents must contain. Default: `ACCOUNT_URL/mcp`, which agents ask for (RFC 8707). Set it for a provider that gives tokens a fixed audience',
  },
  ACCOUNT_SECRET: {
    value: secret,
    readBy: 'api',
    text: 'Encrypts the cookies of the account page: 16 characters or more, the same for all API processes. `npm start` keeps one in `SLUICE_HOME/secrets.json`',
  },
} as const satisfies Section

export const CREDENTIALS = {
  EXCHANGE_KEYS: {
    value: text,
    readBy: 'cli, worker',
    text: 'Private keys that decrypt credentials and the secrets of webhooks, comma-separated, newest first',
  },
  EXCHANGE_SEAL_KEY: {
    value: text,
    readBy: 'api',
    text: 'Public half of the newest key, which encrypts them. Without it exchange accounts cannot be connected, and there are no webhooks',
  },
} as const satisfies Section

export const SHARED = {
  SHARE_PEPPER: {
    value: text,
    readBy: 'cli, api, gateway',
    text: 'Secret text that keys the hashes of passcodes. Without it every passcode is wrong',
  },
} as const satisfies Section
