import type { FollowState } from '../../db/console/read-follows.ts'
import { duration } from '../../db/values/duration.ts'
import { count } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { table } from '../parts/table.ts'
import { ago, badge, type Mood, until } from './figures.ts'

/** Shows the networks whose head is followed; nothing where none is. */
export function followsPart(follows: readonly FollowState[], at: Date): Html {
  if (follows.length === 0) return html``
  return html`<h3>Followed networks</h3>
    ${table({
      label: 'Followed networks',
      columns: [
        'Network',
        'Mode',
        'Method',
        'Node',
        'Block',
        'Head',
        'Behind',
        'Confirmed',
        'Advanced',
        'Rewinds, 24 h',
        'Nodes disagreed',
      ],
      numbers: ['Block', 'Head', 'Behind', 'Confirmed', 'Rewinds, 24 h', 'Nodes disagreed'],
      rows: follows.map((follow) => [
        follow.networkId,
        html`${badge(moodOf(follow), follow.mode)}
        ${follow.reason !== null && html`<span class="soft small">${follow.reason}</span>`}`,
        html`${method(follow)}
        ${follow.methodReason !== null && html`<span class="soft small">${follow.methodReason}</span>`}`,
        html`${follow.node ?? '–'}
        ${follow.heldUntil !== null && html`<span class="soft small">other branches ${until(follow.heldUntil, at)}</span>`}`,
        figure(follow.cursorBlock),
        figure(follow.headBlock),
        figure(behind(follow)),
        figure(follow.confirmedBlock),
        follow.advancedAt ? ago(follow.advancedAt, at) : 'never',
        count(follow.rewinds24h),
        follow.disagreements === 0
          ? '0'
          : html`<a href="/console/quarantine?source=${encodeURIComponent(`rpc:${follow.networkId}`)}"
              >${count(follow.disagreements)}</a
            >`,
      ]),
    })}`
}

function moodOf({ mode, reason, heldUntil }: FollowState): Mood {
  if (mode === 'off') return 'bad'
  return reason === null && heldUntil === null ? 'good' : 'odd'
}

function method({ method: name, tickMs }: FollowState): string {
  return `${name ?? '–'}${tickMs === null ? '' : ` every ${duration(tickMs / 1_000)}`}`
}

/** Blocks that the head is ahead of the cursor. */
function behind({ headBlock, cursorBlock }: FollowState): number | null {
  return headBlock === null || cursorBlock === null ? null : Math.max(0, headBlock - cursorBlock)
}

const figure = (value: number | null): string => (value === null ? '–' : count(value))
