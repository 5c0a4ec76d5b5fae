import { ApiError } from '../../../api/errors.ts'
import { IN_FUTURE } from '../../../api/reasons.ts'
import { FIRST_MS, type Stated } from '../../../api/portfolios/stated-transaction.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { decimal, formatDecimal, isZero, negate } from '../../../db/values/decimal.ts'
import { parseInstant } from '../../../db/values/time.ts'
import type { Form } from '../../parts/form.ts'
import { html, type Html } from '../../parts/html.ts'
import { currencyCodes, option } from '../portfolio/chooser.ts'
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

/** How people see the fields named. */
const NAMES: Record<keyof StatedFields, string> = {
  side: 'What',
  coin: 'Coin',
  count: 'Amount',
  at: 'Time',
  price: 'Price of one',
  currency: 'Currency of the price',
  note: 'Note',
}

/** 400 for one field. `reason` is a sentence without its full stop, to be shown beside the field. */
class RefusedField extends ApiError {
  readonly field: keyof StatedFields
  readonly reason: string

  constructor(field: keyof StatedFields, reason: string) {
    super(400, `${NAMES[field]}: ${reason}`)
    this.field = field
    this.reason = reason
  }
}

/** What went wrong, with a link to the field if one was refused. */
export const problemPanel = (problem: ApiError): Html =>
  html`<p class="panel problem" role="alert">
    ${
      problem instanceof RefusedField
        ? html`<a href="#${problem.field}">${NAMES[problem.field]}</a>: ${problem.reason}.`
        : html`${problem.message}.`
    }
  </p>`

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

/** The fields of a transaction that its owner states. A refused one says why. */
export function statedFields(
  fields: StatedFields,
  options: {
    coins: Parameters<typeof coinList>[1]
    currencies: readonly string[]
    problem: ApiError | undefined
  },
): Html {
  const { coins, currencies, problem } = options
  const refused = problem instanceof RefusedField ? problem : undefined
  /** `attributes` of the input or select that `input` makes. */
  const field = (name: keyof StatedFields, more: string, input: (attributes: Html) => Html): Html => {
    const isRefused = refused?.field === name
    const attributes = html`id="${name}" name="${name}"
    ${isRefused && html`aria-invalid="true" aria-describedby="${name}-problem"`}`
    return html`<label>${NAMES[name]}${more} ${input(attributes)}</label>
      ${isRefused && html`<p class="panel problem" id="${name}-problem">${refused.reason}.</p>`}`
  }
  return html`${field(
    'side',
    '',
    (it) =>
      html`<select ${it}>
        ${option('buy', 'Bought or received', fields.side)}${option('sell', 'Sold, spent or sent', fields.side)}
      </select>`,
  )}
  ${field(
    'coin',
    ', by id or symbol',
    (it) => html`<input ${it} list="coins" value="${fields.coin}" required autocapitalize="none" />`,
  )}
  ${coinList('coins', coins)}
  ${field(
    'count',
    '',
    (it) => html`<input ${it} value="${fields.count}" required inputmode="decimal" autocomplete="off" />`,
  )}
  ${field(
    'at',
    ', UTC',
    (it) => html`<input ${it} type="datetime-local" step="1" value="${fields.at}" required />`,
  )}
  ${field(
    'price',
    "; empty takes the market's at that time",
    (it) => html`<input ${it} value="${fields.price}" inputmode="decimal" autocomplete="off" />`,
  )}
  ${field(
    'currency',
    '',
    (it) =>
      html`<select ${it}>
        ${currencies.map((currency) => option(currency, currency, fields.currency))}
      </select>`,
  )}
  ${field('note', '', (it) => html`<input ${it} value="${fields.note}" maxlength="1000" />`)}`
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

/** What the fields state, exactly as it was typed. Throws RefusedField. */
export async function statedBy(
  { db, now }: { db: ReadonlyDb; now: Date },
  { id, fields }: { id: string; fields: StatedFields },
): Promise<Stated> {
  const { side, coin, count, at, price, currency, note } = fields
  const coinId = await coinNamed(db, coin)
  if (coinId === undefined) throw new RefusedField('coin', `No coin has the id or symbol '${coin}'`)
  const amount = positive('count', count)
  if (isZero(amount)) throw new RefusedField('count', 'It must not be 0')
  // Browsers leave out seconds that are zero.
  const instant = parseInstant(`${at.length === 16 ? `${at}:00` : at}Z`)
  if (!instant) throw new RefusedField('at', 'It must be a day and a time')
  if (instant > now) throw new RefusedField('at', IN_FUTURE)
  if (instant.getTime() < FIRST_MS) throw new RefusedField('at', 'It must be in 2009 or later')
  const priceOfOne = price === '' ? null : formatDecimal(positive('price', price))
  if (!(await currencyCodes(db)).includes(currency))
    throw new RefusedField('currency', 'Choose a currency of the list')
  if (!NOTE.test(note))
    throw new RefusedField('note', 'It must be at most 1000 characters without control characters')
  return {
    id,
    at: instant,
    coinId,
    count: formatDecimal(side === 'sell' ? negate(amount) : amount),
    price: priceOfOne,
    currency,
    note: note.normalize('NFC') || null,
  }
}

function positive(field: 'count' | 'price', text: string) {
  if (!NUMBER.test(text)) throw new RefusedField(field, 'It must be a number such as 0.5')
  return decimal(text)
}
