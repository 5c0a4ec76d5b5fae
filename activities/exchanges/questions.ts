import { SourceRejected } from '../errors.ts'
import type { AskDeps, Questions } from '../source-questions.ts'
import { EXCHANGE_SPECS } from './exchanges.ts'

/** Public endpoints without a key, such as the exchange's time. */
export const exchangeQuestions = ({ http, config }: AskDeps): Questions =>
  Object.fromEntries(
    EXCHANGE_SPECS.map(({ source: { name: source }, probe }) => [
      source,
      () =>
        http.fetchText({
          source,
          url: config.sources[source]!.url + probe,
          read: ({ status }) => {
            if (status !== 200) throw new SourceRejected(source, `status ${status}`)
          },
        }),
    ]),
  )
