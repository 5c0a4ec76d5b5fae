/**
 * SQL that selects the stored price in force at an instant: of hourly and daily point the later one, of both at once the
 * daily one. `coinId` and `at` are SQL expressions, `columns` those of both price tables that are asked for, `at` among them.
 */
export const priceInForce = (input: { coinId: string; at: string; columns: string }): string => {
  const { coinId, at, columns } = input
  const newest = (table: string, preference: number) =>
    `(select ${columns}, ${preference} as preference from ${table}
      where coin_id = ${coinId} and at <= ${at} order by at desc limit 1)`
  return `select ${columns} from (
    ${newest('price_days', 0)} union all ${newest('price_hours', 1)}
  ) as candidates order by at desc, preference limit 1`
}
