/**
 * The columns of `wallet_transactions` that a response needs. Read as single rows or as the text of a page.
 */
export interface ServedRow {
  /** The leg whose current value and profit are shown; null: an approval, an NFT or no known leg. */
  main: {
    coinId: string
    symbol: string
    /** Decimal text, negative when it left the wallet. */
    count: string
    /** Decimal text, at the price of the transaction's instant; null when it was never priced. */
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

/** JSON and numbers never contain these characters, and symbols are stored without control characters. */
const SEPARATOR = { rows: '\u001f', columns: '\u001e' }

const COLUMNS = [
  `coalesce(main_coin_id, '')`,
  `coalesce(main_symbol, '')`,
  `coalesce(main_count::text, '')`,
  `coalesce(main_value_usd::text, '')`,
  'fragment',
]

/** SQL that returns all rows of a page as one text, which is faster than parsing rows. See `rowsOf`. */
export const PAGE_TEXT = `concat_ws('${SEPARATOR.columns}',
  ${COLUMNS.map((column) => `string_agg(${column}, '${SEPARATOR.rows}')`).join(', ')})`

/** Parses the text of a page into its rows, in order. */
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
