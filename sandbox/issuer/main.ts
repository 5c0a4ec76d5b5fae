import { configured } from '../../ops/settings/configured.ts'
import { readIssuerConfig } from './config.ts'
import { startIssuer } from './start-issuer.ts'

const { config } = configured({ config: () => readIssuerConfig(process.env) })
const issuer = await startIssuer(config)

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void issuer.close().then(() => process.exit(0)))
