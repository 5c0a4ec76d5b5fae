import type { FastifyInstance } from 'fastify'
import type { Telemetry } from '../ops/telemetry/start-telemetry.ts'
import { measureRequests } from './measure-requests.ts'
import { traceRequests } from './trace-requests.ts'

/** What watches the requests of a server: nothing, unless traces or metrics are asked for. */
export function watchRequests({
  tracer,
  registry,
}: Pick<Telemetry, 'tracer' | 'registry'>): ((app: FastifyInstance) => void)[] {
  return [
    ...(tracer ? [(app: FastifyInstance) => traceRequests(app, tracer)] : []),
    ...(registry ? [(app: FastifyInstance) => measureRequests(app, registry)] : []),
  ]
}
