import { createServer } from 'node:http'
import { nameInstallation } from '../../ops/settings/installation-header.ts'
import { createProvider } from './create-provider.ts'
import type { IssuerConfig } from './config.ts'
import { createSignIn } from './sign-in.ts'
import { signingKeys } from './signing-keys.ts'

/** Starts the issuer on the host and port of its issuer URL. */
export async function startIssuer(config: IssuerConfig): Promise<{ close: () => Promise<void> }> {
  const provider = createProvider(config, await signingKeys(config.keysFile))
  const signIn = createSignIn({ provider, users: config.users, accountUrl: config.client.url })
  const callback = provider.callback()
  const server = createServer((request, response) => {
    if (!request.url!.startsWith('/interaction/')) return void callback(request, response)
    signIn(request, response).catch((error: unknown) => {
      console.error(error)
      response.destroy()
    })
  })
  nameInstallation(server, config.installation)
  const { hostname, port } = new URL(config.issuer)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(Number(port), hostname, resolve)
  })
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
