import { readIssuerConfig } from './config.ts'
import { startIssuer } from './start-issuer.ts'

const issuer = await startIssuer(readIssuerConfig(process.env))

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void issuer.close().then(() => process.exit(0)))
