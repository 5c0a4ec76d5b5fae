import type { Money } from '../../parts/format.ts'
import { html, type Html } from '../../parts/html.ts'

/** A gain or loss, told by its sign as well as by its colour. */
export const change = (value: number, money: Money): Html =>
  html`<span class="${value > 0 ? 'gain' : value < 0 ? 'loss' : ''}">${money.change(value)}</span>`
