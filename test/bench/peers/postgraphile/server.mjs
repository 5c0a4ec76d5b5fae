// PostGraphile, set up as in its documentation: server.mjs DATABASE_URL SCHEMA PORT CONNECTIONS
import { createServer } from 'node:http'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'

const [connectionString, schema, port, max] = process.argv.slice(2)
const preset = {
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString, schemas: [schema], poolConfig: { max: Number(max) } })],
  grafserv: { watch: false },
  grafast: { explain: false },
}
const server = createServer()
await postgraphile(preset).createServ(grafserv).addTo(server)
server.listen(Number(port), '127.0.0.1', () => console.log('listening'))
