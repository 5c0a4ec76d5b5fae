import type { Generated, GeneratedAlways } from 'kysely'

/** new: its first ping is unanswered; backing_off: probed once a minute; paused, disabled: nothing is sent */
export type WebhookState = 'new' | 'active' | 'backing_off' | 'paused' | 'disabled'

/** Where an account wants its events posted. The API reads all but the sealed secrets. */
export interface WebhookEndpointRow {
  id: string
  account_id: string
  url: string
  types: string[]
  options: Generated<unknown>
  state: Generated<WebhookState>
  /** of a state other than active, in general words */
  reason: string | null
  key_id: string
  wrapped_key: Buffer
  ciphertext: Buffer
  /** the secret before the last rotation: both sign until `previous_until` */
  previous_key_id: string | null
  previous_wrapped_key: Buffer | null
  previous_ciphertext: Buffer | null
  previous_until: Date | null
  /** first failure after the last success */
  failing_since: Date | null
  next_probe_at: Date | null
  /** in a row */
  failures: Generated<number>
  created_at: Generated<Date>
}

/** Whose events an account gets. */
export interface EventSubscriptionRow {
  account_id: string
  /** null: the stream and GET /events */
  endpoint_id: string | null
  /** null: all wallets among the portfolios of the account */
  wallet_id: string | null
  /** null: all networks */
  network_id: string | null
  /** of the stream; null: all types. An endpoint has its own */
  types: string[] | null
  /** of the stream: each read moves it; null: never */
  expires_at: Date | null
}

/** View: subscriptions that have not expired, with the wallets of portfolios in place of "all". */
export interface EventWatcherRow {
  account_id: string | null
  endpoint_id: string | null
  wallet_id: string | null
  network_id: string | null
  types: string[] | null
}

/** What an account wants to be told about besides its wallets. */
export interface AlertRuleRow {
  id: string
  account_id: string
  /** null: every endpoint that wants the type */
  endpoint_id: string | null
  /** type of its events */
  kind: string
  /** id of the coin, portfolio or market */
  subject: string
  rule: unknown
  /** false: it has fired, and its value is not far enough behind yet */
  armed: Generated<boolean>
  fired_at: Date | null
  /** of a portfolio: its value when the account was last told, or when the rule was added */
  value_usd: string | null
  created_at: Generated<Date>
}

/** What happened, until the publisher makes events of it. */
export interface EventSourceRow {
  id: GeneratedAlways<string>
  /** type of the event */
  kind: string
  /** the event is of this account alone; null: of the subscribed ones */
  account_id: string | null
  wallet_id: string | null
  network_id: string | null
  block_number: string | null
  tx_hash: string | null
  payload: unknown
  created_at: Generated<Date>
}

/** An event as its account gets it. */
export interface AccountEventRow {
  /** place in the order of all events; null while held */
  seq: string | null
  account_id: string
  /** also of its charge */
  id: string
  type: string
  wallet_id: string | null
  network_id: string | null
  tx_hash: string | null
  /** the envelope, as it is sent */
  body: string
  credits: number
  /** the account has no credits for it; sent and charged when it has */
  held: boolean
  created_at: Date
  /** the endpoints that it goes to */
  endpoint_ids: Generated<string[]>
}

/** An event on its way to an endpoint. */
export interface DeliveryRow {
  endpoint_id: string
  seq: string
  attempts: Generated<number>
  /** keeps events of one wallet in order, 0 to 3 */
  lane: Generated<number>
  /** of the next attempt; infinite: its endpoint has to answer a probe first; null: delivered, or given up */
  next_at: Generated<Date | null>
  /** HTTP status of the last answer; null: none came */
  status: number | null
  /** how long the last attempt took */
  ms: number | null
  /** why the last attempt failed */
  failure: string | null
  delivered_at: Date | null
}

/** The newest event of an account that is too old to be kept. */
export interface DroppedEventsRow {
  account_id: string
  seq: string
}

/** A transaction of a watched wallet that a reorg may still take. */
export interface UnconfirmedTransactionRow {
  network_id: string
  wallet_id: string
  tx_hash: string
  block_number: string
  /** the block was old when the transaction was found */
  late: boolean
}

/** An account that was told of a transaction before it was confirmed. */
export interface ToldTransactionRow {
  network_id: string
  wallet_id: string
  tx_hash: string
  account_id: string
  /** those of its endpoints that were told */
  endpoint_ids: string[]
  at: Generated<Date>
}

/** How many events an account may be sent at once. */
export interface EventRateRow {
  account_id: string
  /** at that time */
  room: number
  at: Date
}

/** Opens one stream. */
export interface EventTicketRow {
  /** SHA-256 of the ticket, which is not stored */
  hash: Buffer
  account_id: string
  expires_at: Date
}

declare module '../schema.ts' {
  interface Database {
    webhook_endpoints: WebhookEndpointRow
    event_subscriptions: EventSubscriptionRow
    event_watchers: EventWatcherRow
    alert_rules: AlertRuleRow
    event_sources: EventSourceRow
    account_events: AccountEventRow
    deliveries: DeliveryRow
    dropped_events: DroppedEventsRow
    unconfirmed_transactions: UnconfirmedTransactionRow
    told_transactions: ToldTransactionRow
    event_rates: EventRateRow
    event_tickets: EventTicketRow
  }
}
