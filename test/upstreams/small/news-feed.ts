import type { Upstream } from '../../../sandbox/upstream.ts'
import type { FakeClock } from '../double.ts'
import { type RuledDouble, startRuled } from '../prices/ruled.ts'
import { answerFrom } from '../served-upstream.ts'

/** Row 47: the feed of one publisher. `upstream` answers, below its name, what is not refused. */
export async function startNewsFeed(options: {
  clock: FakeClock
  name: string
  upstream: Upstream
}): Promise<RuledDouble> {
  const { clock, name, upstream } = options
  const answer = answerFrom(upstream, clock)
  return startRuled(
    [
      {
        row: 47,
        refuse: ({ headers }) =>
          headers['user-agent']
            ? null
            : { status: 403, headers: { 'content-type': 'text/html' }, body: 'Forbidden' },
      },
    ],
    (asked) => answer({ ...asked, path: `/${name}${asked.path}` }),
  )
}
