/** A wallet transaction as the response needs it: columns of `wallet_transactions`, one by one or as the text of a page. */
export interface ServedRow {
  /** The leg that current value and profit are shown of; null: an approval, an NFT, nothing known. */
  main: {
    coinId: string
    symbol: string
    /** Decimal text, negative when it left the wallet. */
    count: string
    /** Decimal text, at the instant of the transaction; null when it was never priced. */
    valueUsd: string | null
  } | null
  /** JSON text: see stored-transaction.ts */
  fragment: string
}

export interface ServedColumns {
  main_coin_id: string | null
  main_symbol: string | null
  main_count: string | null
  main_value_usd: string | null
  fragment: string
}

export function servedRow(row: ServedColumns): ServedRow {
  const main =
    row.main_coin_id === null
      ? null
      : {
          coinId: row.main_coin_id,
          symbol: row.main_symbol ?? '',
          count: row.main_count ?? '0',
          valueUsd: row.main_value_usd,
        }
  return { main, fragment: row.fragment }
}

/** Neither JSON nor numbers hold them as such; the table keeps symbols free of control characters. */
const SEPARATOR = { rows: '\u001f', columns: '\u001e' }

const COLUMNS = [
  `coalesce(main_coin_id, '')`,
  `coalesce(main_symbol, '')`,
  `coalesce(main_count::text, '')`,
  `coalesce(main_value_usd::text, '')`,
  'fragment',
]

/** SQL: all rows of a page in one text, because parsing rows costs more. See `rowsOf`. */
export const PAGE_TEXT = `concat_ws('${SEPARATOR.columns}',
  ${COLUMNS.map((column) => `string_agg(${column}, '${SEPARATOR.rows}')`).join(', ')})`

/** The rows in the text of a page, in its order. */
export function rowsOf(text: string): ServedRow[] {
  const columns = text.split(SEPARATOR.columns).map((column) => column.split(SEPARATOR.rows))
  const [coinIds, symbols, counts, values, fragments] = columns
  if (!coinIds || !symbols || !counts || !values || !fragments) return []
  return coinIds.map((coinId, i) => ({
    main:
      coinId === ''
        ? null
        : { coinId, symbol: symbols[i]!, count: counts[i]!, valueUsd: values[i]! === '' ? null : values[i]! },
    fragment: fragments[i]!,
  }))
}
