import type { FastifyInstance } from 'fastify'
import { serveScript } from './serve-path.ts'
import { TIME_CHART_SCRIPT, timeChartScript } from './time-chart.ts'

/** Scripts that several groups of pages use. */
export async function sharedScripts(app: FastifyInstance): Promise<void> {
  serveScript(app, TIME_CHART_SCRIPT, timeChartScript)
}
