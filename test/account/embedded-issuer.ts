import { pino } from 'pino'
import type { HttpServerDeps } from '../../api/http-server.ts'
import { openDb } from '../../db/connect.ts'
import { createSealingKey } from '../../db/values/sealed-secret.ts'
import type { IssuerConfig } from '../../web/issuer/config.ts'
import { startIssuer } from '../../web/issuer/start-issuer.ts'

export const AUDIENCE = 'urn:sluice:api'

const SEALING_KEY = createSealingKey()

export interface Clock {
  now: () => Date
}

/** Starts the embedded OpenID provider as it is, on the port of its address. */
export function startEmbeddedIssuer(
  config: Pick<IssuerConfig, 'issuer' | 'databaseUrl' | 'client' | 'keysFile'> & Partial<IssuerConfig>,
  { now = () => new Date(), watch }: Partial<Clock> & Pick<HttpServerDeps, 'watch'> = {},
): Promise<{ close: () => Promise<void> }> {
  const deps = {
    database: openDb({ url: config.databaseUrl, maxConnections: 4, applicationName: 'test-issuer' }),
    logger: pino({ level: 'silent' }),
    now,
    ...(watch && { watch }),
  }
  const rest = {
    audience: AUDIENCE,
    demoUsers: {},
    shellSecret: null,
    sealingKeys: [SEALING_KEY],
    logLevel: 'silent',
    installation: null,
  }
  const { port } = new URL(config.issuer)
  return startIssuer({ host: '127.0.0.1', port: Number(port), ...rest, ...config }, deps)
}
