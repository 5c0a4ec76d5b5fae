import type { JSONObject } from '@modelcontextprotocol/server'

export interface TaskCall {
  /** path of a GET route */
  path: string
  arguments: Record<string, unknown>
  fields?: readonly string[]
  maxItems?: number
}

export interface Task {
  name: string
  title: string
  description: string
  properties: Record<string, JSONObject>
  required?: readonly string[]
  /** The calls by the name of their part of the answer. `args` have the names of `properties`. */
  calls: (args: Record<string, unknown>, now: Date) => Record<string, TaskCall>
}

/** Fields below one field. */
export const under = (prefix: string, names: readonly string[]): string[] =>
  names.map((name) => `${prefix}.${name}`)

/** A text as an argument. */
export const text = (description: string): JSONObject => ({ type: 'string', description })
export const portfolioId = text('One portfolio, from listPortfolios; without it all together')
export const currency = text('Code such as EUR or BTC; without it USD')
export const range: JSONObject = { type: 'string', enum: ['24h', '1w', '1m', '3m', '6m', '1y', 'all'] }
export const interval: JSONObject = {
  type: 'string',
  enum: ['hourly', 'daily', 'weekly', 'monthly', 'yearly'],
}
