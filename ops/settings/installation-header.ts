import type { Server } from 'node:http'

/** Header of all answers of our own services: which installation they belong to. */
export const INSTALLATION_HEADER = 'x-installation-id'

/** Has a server name its installation, by which the supervisor knows it; null: nobody asks. */
export function nameInstallation(server: Server, installation: string | null): void {
  if (installation === null) return
  server.prependListener('request', (_request, response) =>
    response.setHeader(INSTALLATION_HEADER, installation),
  )
}
