import { once } from 'node:events'
import { routes } from '../../api/routes.ts'
import { sendTo } from '../../clients/mcp/call-api.ts'
import { createMcpServers } from '../../clients/mcp/mcp-server.ts'
import { serveHttp } from '../../clients/mcp/serve-http.ts'
import { serveStreams } from '../../clients/mcp/serve-stdio.ts'
import { CommandError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { homeFolder } from '../folders.ts'
import type { MCP } from '../specs/run.ts'
import { isRunning } from '../supervisor/process-mark.ts'
import { readRun } from '../supervisor/run-file.ts'

/**
 * Serves the API to agents: over stdin and stdout with the key in SLUICE_API_KEY until the client
 * disconnects, or over HTTP with the keys that clients send until it is stopped. It writes only the protocol
 * to stdout.
 */
export async function run({ http: port }: Given<typeof MCP>): Promise<void> {
  const key = process.env.SLUICE_API_KEY || null
  const url = apiUrl()
  if (port === undefined) {
    if (key === null)
      throw new CommandError(
        'set SLUICE_API_KEY to a key of the API ("npm start" prints one, /account makes more)',
      )
    const factory = createMcpServers({ routes, send: sendTo(url), key })
    return await serveStreams(factory, { input: process.stdin, output: process.stdout })
  }
  const served = await serveHttp({
    factory: createMcpServers({ routes, send: sendTo(url), key: null }),
    port,
  })
  console.error(`sluice: MCP for ${url} at ${served.url}; Ctrl-C stops it`)
  await once(process, 'disconnect')
  await served.close()
}

/** Returns SLUICE_URL, or the address of the API of the running installation. */
function apiUrl(): string {
  const given = process.env.SLUICE_URL
  if (given) {
    if (!URL.canParse(given) || !/^https?:/.test(given))
      throw new CommandError('SLUICE_URL must be an http(s) address')
    return given.replace(/\/+$/, '')
  }
  const run = readRun(homeFolder())
  if (!run || !isRunning(run.supervisor))
    throw new CommandError(
      'no installation runs here: run "npm start", or set SLUICE_URL to an API, such as http://127.0.0.1:8080/v1',
    )
  return `http://127.0.0.1:${run.ports['api']}/v1`
}
