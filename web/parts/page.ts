import { hash } from 'node:crypto'
import { html, type Html } from './html.ts'
import { STYLE } from './style.ts'

// Outside the template, because the formatter would add spaces and the hash in the policy would not match.
const styleElement = (css: string): Html => ({ html: `<style>${css}</style>` })
const styleSource = (css: string) => `'sha256-${hash('sha256', css, 'base64')}'`
const STYLE_ELEMENT = styleElement(STYLE)
const STYLE_SOURCE = styleSource(STYLE)

/** What a page with the brand of another app adds. */
export interface Brand {
  css: string
  /** Origins of its pictures, besides data: addresses. */
  pictures: readonly string[]
}

export interface PageContent {
  title: string
  header?: Html
  body: Html
  /** Path of one of our own scripts. */
  script?: string
  /** The script imports others of our own. */
  isModule?: boolean
  brand?: Brand
}

/** Renders a whole document. */
export function page({ title, header, body, script, isModule = false, brand }: PageContent): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Sluice</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT} ${brand && styleElement(brand.css)}
        ${script !== undefined && html`<script src="${script}" ${isModule ? 'type=module' : 'defer'}></script>`}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        ${header}
        <main id="main">
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `.html
}

/**
 * Headers of every page: no scripts, no foreign resources, no frames, no caching and no referrer.
 * `formTargets`: other origins to which a form may lead. `scripted`: allows our own script and its requests
 * to this origin.
 */
export function pageHeaders({
  formTargets = [],
  scripted = false,
  brand,
}: { formTargets?: readonly string[]; scripted?: boolean; brand?: Brand | undefined } = {}): Record<
  string,
  string
> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      `default-src 'none'`,
      `style-src ${[STYLE_SOURCE, ...(brand ? [styleSource(brand.css)] : [])].join(' ')}`,
      `img-src ${['data:', ...(brand?.pictures ?? [])].join(' ')}`,
      ...(scripted ? [`script-src 'self'`, `connect-src 'self'`] : []),
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
