import { openDb } from '../../db/connect.ts'
import { demoIdentity } from './demo-identity.ts'
import { demoKey } from './demo-key.ts'

interface LinkOptions {
  home: string
  env: Record<string, string>
}

/**
 * Links the demo users again after their provider moved, because a user is identified by the provider's
 * address.
 */
export async function linkDemoUsers({ home, env }: LinkOptions): Promise<void> {
  const { db, close } = openDb({ url: env.DATABASE_URL!, maxConnections: 1, applicationName: 'sluice-start' })
  try {
    await demoIdentity(db, { key: await demoKey({ home, db }), issuer: env.OIDC_ISSUER! })
  } finally {
    await close()
  }
}
