import type { FastifyBaseLogger } from 'fastify'
import { createHttpServer, type HttpServerDeps } from '../../api/http-server.ts'
import { createUserCodes } from '../../db/account/user-codes.ts'
import { createUserWallets } from '../../db/account/user-wallets.ts'
import { createUsers } from '../../db/account/users.ts'
import type { Connection } from '../../db/connect.ts'
import type { Db } from '../../db/schema.ts'
import { nameInstallation } from '../../ops/settings/installation-header.ts'
import { sendErrorToReader } from '../parts/error-page.ts'
import { preparePages } from '../parts/prepare-pages.ts'
import { serveScript } from '../parts/serve-path.ts'
import { walletScript } from '../parts/siwe.ts'
import { limitRegistrations } from './agent-clients.ts'
import type { IssuerConfig } from './config.ts'
import { addConsentPages } from './consent-pages.ts'
import { createProvider } from './create-provider.ts'
import { WALLET_SCRIPT } from './ethereum.ts'
import { createInteractions } from './interactions.ts'
import { addInvitationPages } from './invitation-pages.ts'
import { addProvider } from './provider-paths.ts'
import { addSecurityPages } from './security-pages.ts'
import { addSignInPages } from './sign-in.ts'
import { signingKeys } from './signing-keys.ts'

const MAX_FORM_BYTES = 8_192

interface IssuerDeps {
  /** Connects as role `issuer`; closed with the issuer. */
  database: Connection<Db>
  logger: FastifyBaseLogger
  now: () => Date
  /** Hooks that see all requests. */
  watch?: HttpServerDeps['watch']
}

/** Starts the embedded OpenID provider. */
export async function startIssuer(
  config: IssuerConfig,
  { database, logger, now, watch }: IssuerDeps,
): Promise<{ close: () => Promise<void> }> {
  const { issuer, host, port, keysFile, trustedProxies, installation } = config
  const users = createUsers(database.pool)
  const keys = await signingKeys(keysFile)
  const provider = createProvider(config, { keys, pool: database.pool, users })
  const way = { href: `${config.client.url}/account`, text: 'To the account page' }
  const { app } = createHttpServer({
    now,
    logger,
    headers: {},
    head: false,
    onError: (error, request, reply) => sendErrorToReader(error, request, reply, way),
    ...(trustedProxies !== undefined && { trustedProxies }),
    ...(watch && { watch }),
  })
  // It has one address, whatever a client or a proxy says: cookies and links depend on it.
  const { host: ownHost, protocol } = new URL(issuer)
  app.addHook('onRequest', async ({ raw }) => {
    raw.headers.host = ownHost
    raw.headers['x-forwarded-proto'] = protocol.slice(0, -1)
    delete raw.headers['x-forwarded-host']
  })
  limitRegistrations(app)
  addProvider(app, provider)
  await app.register(async (pages) => {
    await preparePages(pages, {
      secret: keys.cookies[0]!,
      url: issuer,
      maxFormBytes: MAX_FORM_BYTES,
      now,
      way,
    })
    const { demoUsers, sealingKeys, client } = config
    const [codes, wallets] = [createUserCodes(database.pool), createUserWallets(database.pool)]
    const deps = { users, codes, wallets, demoUsers, sealingKeys, issuer, now }
    const accountUrl = client.url
    const steps = createInteractions({ provider, users, accountUrl, now })
    addSignInPages(pages, steps, deps)
    addConsentPages(pages, steps, { provider, pool: database.pool, issuer, accountUrl })
    addInvitationPages(pages, { users, accountUrl })
    addSecurityPages(pages, { ...deps, provider, accountUrl, secret: keys.cookies[0]! })
    serveScript(pages, WALLET_SCRIPT, walletScript)
  })
  nameInstallation(app.server, installation)
  try {
    await users.adopt(issuer)
    await app.listen({ host, port })
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    async close() {
      await app.close()
      await database.close()
    },
  }
}
