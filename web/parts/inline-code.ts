import { html, type Html } from './html.ts'

/** Text in which words between backticks are code. */
export const inlineCode = (text: string): Html =>
  html`${text.split('`').map((part, n) => (n % 2 === 1 ? html`<code>${part}</code>` : part))}`
