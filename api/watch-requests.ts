import type { FastifyInstance } from 'fastify'
import type { Telemetry } from '../ops/telemetry/start-telemetry.ts'
import { measureRequests } from './measure-requests.ts'
import { traceRequests } from './trace-requests.ts'

/** Request hooks of a server for traces and metrics. Empty when both are off. */
export function watchRequests({
  tracer,
  registry,
}: Pick<Telemetry, 'tracer' | 'registry'>): ((app: FastifyInstance) => void)[] {
  return [
    ...(tracer ? [(app: FastifyInstance) => traceRequests(app, tracer)] : []),
    ...(registry ? [(app: FastifyInstance) => measureRequests(app, registry)] : []),
  ]
}
