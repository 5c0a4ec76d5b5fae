import { supervise } from '../supervisor/supervise.ts'
import { topology } from '../topology/layout.ts'

const APIS = 2
const WORKERS = 3

/** Runs the topology of production as plain processes until a signal arrives. */
export async function run(): Promise<number> {
  return supervise(topology({ apis: APIS, workers: WORKERS }))
}
