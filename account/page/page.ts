import { hash } from 'node:crypto'
import { html, type Html } from './html.ts'
import { STYLE } from './style.ts'

// Beside the template: the formatter would add spaces, of which the policy below knows nothing.
const STYLE_ELEMENT = { html: `<style>${STYLE}</style>` }
const sourceOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`

/** A whole document. `script` runs once the rest is there. */
export function page(content: { title: string; header?: Html; body: Html; script?: string }): string {
  const { title, header, body, script } = content
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Sluice</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        ${header}
        <main id="main">
          <h1>${title}</h1>
          ${body}
        </main>
        ${script !== undefined && { html: `<script>${script}</script>` }}
      </body>
    </html> `.html
}

/**
 * Headers of every page: nothing from anywhere else, in no frame, kept nowhere, and its address told nobody. No script,
 * or the one that is given, which may ask this host alone. `formTargets`: origins that a form may lead to, beside the own one.
 */
export function pageHeaders(
  options: { formTargets?: readonly string[]; script?: string } = {},
): Record<string, string> {
  const { formTargets = [], script } = options
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      `default-src 'none'`,
      `style-src ${sourceOf(STYLE)}`,
      ...(script === undefined ? [] : [`script-src ${sourceOf(script)}`, `connect-src 'self'`]),
      'img-src data:',
      `form-action ${["'self'", ...formTargets].join(' ')}`,
      `base-uri 'none'`,
      `frame-ancestors 'none'`,
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  }
}
