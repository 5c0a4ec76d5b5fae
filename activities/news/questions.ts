import type { AskDeps, Questions } from '../source-questions.ts'
import { FEEDS } from './feeds.ts'
import { readFeed } from './sources/feed.ts'

/** Each feed, as if it had never been read. */
export const newsQuestions = (deps: AskDeps): Questions =>
  Object.fromEntries(
    FEEDS.map(({ name, path }) => [
      name,
      () => {
        const url = deps.config.sources[name]!.url + path
        return readFeed(deps, { source: name, url, validators: { etag: null, lastModified: null } })
      },
    ]),
  )
