import { join } from 'node:path'
import { cacheFolder, ROOT } from '../../cli/folders.ts'
import type { ServiceSpec } from '../../cli/supervisor/service.ts'
import { gatewayService as started } from '../../cli/supervisor/services.ts'

export const PAY_TO = '0x9a7d000000000000000000000000000000000402'
/** Price of `/coins` in USDC base units. */
export const PRICE = 1_000n

/** The gateway as in an installation, on its own port. `dieFile`: see die-at.ts. */
export function gatewayService(options: {
  port: number
  roleUrl: (role: 'api' | 'gateway') => string
  facilitatorUrl: string
  rpcUrl: string
  dieFile?: string
}): ServiceSpec {
  const { port, roleUrl, facilitatorUrl, rpcUrl, dieFile } = options
  const killer = dieFile ? ['--import', join(ROOT, 'test/crash/die-at.ts')] : []
  const spec = started({
    port,
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: join(cacheFolder(), 'compiled'),
      GATEWAY_PORT: String(port),
      LOG_LEVEL: 'warn',
      SOURCES: 'sandbox',
      API_DATABASE_URL: roleUrl('api'),
      GATEWAY_DATABASE_URL: roleUrl('gateway'),
      X402_PUBLIC_URL: `http://127.0.0.1:${port}`,
      X402_PAY_TO: PAY_TO,
      X402_FACILITATOR_URL: facilitatorUrl,
      X402_RPC_URL: rpcUrl,
      // The test requests all purchases again at the end.
      X402_REPLAY_SECONDS: '3600',
      X402_COOKIE_SECRETS: `test:${'s'.repeat(40)}`,
      ...(dieFile && { DIE_FILE: dieFile }),
    },
  })
  return { ...spec, name: `gateway-${port}`, args: [...killer, ...spec.args] }
}
