import { invalidParameter } from '../../../api/errors.ts'
import type { Stated } from '../../../api/portfolios/stated-transaction.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { decimal, formatDecimal, isZero, negate } from '../../../db/values/decimal.ts'
import { parseInstant } from '../../../db/values/time.ts'
import type { Form } from '../../parts/form.ts'
import { html, type Html } from '../../parts/html.ts'
import { option } from '../portfolio/chooser.ts'
import { coinList, coinNamed } from './coin-names.ts'

/** The texts of the fields, as they are shown. */
export interface StatedFields {
  side: string
  coin: string
  count: string
  at: string
  price: string
  currency: string
  note: string
}

export const EMPTY: StatedFields = {
  side: 'buy',
  coin: '',
  count: '',
  at: '',
  price: '',
  currency: 'USD',
  note: '',
}

/** Positive, with at most 30 digits before and after the point. */
const NUMBER = /^\d{1,30}(\.\d{1,30})?$/
const NOTE = /^[^\p{C}]{0,1000}$/u

/** The fields of a transaction that its owner states. */
export function statedFields(
  fields: StatedFields,
  { coins, currencies }: { coins: Parameters<typeof coinList>[1]; currencies: readonly string[] },
): Html {
  return html`<label
      >What
      <select name="side">
        ${option('buy', 'Bought or received', fields.side)}${option('sell', 'Sold, spent or sent', fields.side)}
      </select></label
    ><label
      >Coin, by id or symbol
      <input name="coin" list="coins" value="${fields.coin}" required autocapitalize="none"
    /></label>
    ${coinList('coins', coins)}<label
      >Amount <input name="count" value="${fields.count}" required inputmode="decimal" autocomplete="off"
    /></label>
    <label>Time, UTC <input name="at" type="datetime-local" step="1" value="${fields.at}" required /></label>
    <label
      >Price of one; empty takes the market's at that time
      <input name="price" value="${fields.price}" inputmode="decimal" autocomplete="off" /></label
    ><label
      >Currency of the price
      <select name="currency">
        ${currencies.map((currency) => option(currency, currency, fields.currency))}
      </select></label
    ><label>Note <input name="note" value="${fields.note}" maxlength="1000" /></label>`
}

export const fieldsOf = ({ text }: Form): StatedFields => ({
  side: text('side'),
  coin: text('coin'),
  count: text('count'),
  at: text('at'),
  price: text('price'),
  currency: text('currency'),
  note: text('note'),
})

/** Fields of a stored transaction. */
export const fieldsOfStated = (stated: Stated): StatedFields => ({
  side: stated.count.startsWith('-') ? 'sell' : 'buy',
  coin: stated.coinId,
  count: stated.count.replace(/^-/, ''),
  at: stated.at.toISOString().slice(0, 19),
  price: stated.price ?? '',
  currency: stated.currency,
  note: stated.note ?? '',
})

/** What the fields state, exactly as it was typed. Throws 400, and names the field. */
export async function statedBy(
  db: ReadonlyDb,
  { id, fields }: { id: string; fields: StatedFields },
): Promise<Stated> {
  const { side, coin, count, at, price, currency, note } = fields
  // Browsers leave out seconds that are zero.
  const instant = parseInstant(`${at.length === 16 ? `${at}:00` : at}Z`)
  if (!instant) throw invalidParameter('time', 'It must be a day and a time')
  if (!NOTE.test(note))
    throw invalidParameter('note', 'It must be at most 1000 characters without control characters')
  const amount = positive('amount', count)
  if (isZero(amount)) throw invalidParameter('amount', 'It must not be 0')
  return {
    id,
    at: instant,
    coinId: await coinNamed(db, coin),
    count: formatDecimal(side === 'sell' ? negate(amount) : amount),
    price: price === '' ? null : formatDecimal(positive('price', price)),
    currency,
    note: note.normalize('NFC') || null,
  }
}

function positive(name: string, text: string) {
  if (!NUMBER.test(text)) throw invalidParameter(name, 'It must be a number such as 0.5')
  return decimal(text)
}
