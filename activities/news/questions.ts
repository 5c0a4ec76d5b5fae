import type { AskDeps, Questions } from '../source-questions.ts'
import { FEEDS } from './feeds.ts'
import { readFeed } from './sources/feed.ts'

/** Reads each feed without validators, as if for the first time. */
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
