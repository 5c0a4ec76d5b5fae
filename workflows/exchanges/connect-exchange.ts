import { proxyActivities } from '@temporalio/workflow'
import type { ExchangesActivities } from '../../activities/exchanges/index.ts'
import { sourceCall } from '../policies.ts'

const { tryExchangeCredentials } = proxyActivities<ExchangesActivities>(sourceCall)

export interface ConnectExchangeInput {
  connectionId: string
  /** version of the credentials to try; the credentials stay in the database */
  version: number
}

/** Tries credentials that a client offered. The client waits for the result in `exchange_connections`. */
export async function connectExchange(input: ConnectExchangeInput): Promise<{ accepted: boolean }> {
  return tryExchangeCredentials(input)
}
