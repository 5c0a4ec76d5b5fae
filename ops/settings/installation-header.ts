import type { Server } from 'node:http'

/** Header in all answers of our own services with the id of their installation. */
export const INSTALLATION_HEADER = 'x-installation-id'

/** Makes a server send the id of its installation, by which the supervisor recognises it. null: no header. */
export function nameInstallation(server: Server, installation: string | null): void {
  if (installation === null) return
  server.prependListener('request', (_request, response) =>
    response.setHeader(INSTALLATION_HEADER, installation),
  )
}
