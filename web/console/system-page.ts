import { badRequest } from '../../api/errors.ts'
import {
  type BackupState,
  type DatabaseState,
  noteRestoreCheck,
  readBackupState,
  readDatabaseState,
} from '../../db/console/read-system.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { VERSION } from '../../ops/settings/version.ts'
import type { ShownSetting } from '../../ops/settings/shown-settings.ts'
import { minute } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { table } from '../parts/table.ts'
import type { Visit } from '../parts/visit.ts'
import { ago, badge } from './figures.ts'
import { inTime } from './in-time.ts'
import { live, liveSign } from './live.ts'
import { readParts, type PartState } from './read-parts.ts'
import type { ScheduleState, Temporal } from './temporal.ts'

export const SYSTEM = '/console/system'
const EVERY_S = 15
const OLD_RESTORE_DAYS = 90
const EXPORT_SCHEDULE = 'export-tables'

type OperatorVisit = Visit & { subject: string }

interface SystemDeps {
  db: ReadonlyDb
  /** Connects as role `api`. */
  served: ReadonlyDb
  /** The replica of reads; absent: none is set. */
  replica?: ReadonlyDb
  temporal: Temporal | null
  settings: readonly ShownSetting[]
  now: () => Date
}

/** Versions, parts, settings, migrations, backups and exports. What does not answer says so, and the rest is shown. */
export function systemPages(deps: SystemDeps) {
  const { db, temporal, settings, now } = deps
  return {
    show: async ({ csrf, flash, show }: OperatorVisit) => {
      const [parts, database, backups, state] = await Promise.all([
        readParts(deps),
        inTime(readDatabaseState(db)),
        inTime(readBackupState(db)),
        temporal?.read(),
      ])
      const at = now()
      const exporting = state?.schedules.find(({ id }) => id === EXPORT_SCHEDULE)
      show({
        title: 'System',
        body: html`${await flash()} ${liveSign(at, { everySeconds: EVERY_S })}
          <h2>Parts</h2>
          ${live('parts-now', partTable(parts))}
          <h2>Versions and migrations</h2>
          ${live('versions-now', versions(database))}
          <h2>Backups</h2>
          ${live('backups-now', backups ? backupFacts(backups, at) : unread)} ${restoreForm(csrf)}
          <h2>Exports</h2>
          ${live('exports-now', exportFacts(exporting, { isKnown: Boolean(state), at }))}
          <h2>Settings in force</h2>
          <p class="soft">Of this API process. What is secret is hidden.</p>
          ${settingTable(settings)}`,
      })
    },

    restored: async ({ form, redirect, subject: operator }: OperatorVisit) => {
      const text = form.text('backup')
      const backupAt = new Date(`${text}:00Z`)
      if (Number.isNaN(backupAt.getTime()) || backupAt > now())
        throw badRequest('Enter the moment of the backup, which is in the past.')
      const note = form.text('note')
      if (note.length > 500 || /\p{Cc}/u.test(note))
        throw badRequest('Enter a note of at most 500 characters.')
      await noteRestoreCheck(db, { backupAt, note, operator })
      await redirect(SYSTEM, { message: 'The verified restore is noted.' })
    },
  }
}

const unread = html`<p class="panel problem">The database did not answer in time for this part.</p>`

const partTable = (parts: readonly PartState[]): Html =>
  table({
    label: 'Parts',
    columns: ['Part', 'State'],
    rows: parts.map(({ name, answers }) => [
      name,
      answers ? badge('good', 'answers') : badge('bad', 'service is out of reach'),
    ]),
  })

const versions = (database: DatabaseState | undefined): Html =>
  html`<dl class="panel">
    <dt>Sluice</dt>
    <dd>${VERSION}</dd>
    <dt>Node</dt>
    <dd>${process.versions.node}</dd>
    ${
      database
        ? html`<dt>Postgres</dt>
            <dd>${database.version}</dd>
            <dt>Migrations</dt>
            <dd>
              ${database.migrations}, the newest <code>${database.newestMigration}</code>, applied
              ${minute(database.appliedAt)}
            </dd>`
        : html`<dt>Postgres</dt>
            <dd>service is out of reach</dd>`
    }
  </dl>`

function backupFacts({ restored, archives, ...archive }: BackupState, at: Date): Html {
  const isOld = restored === null || at.getTime() - restored.checkedAt.getTime() > OLD_RESTORE_DAYS * DAY_MS
  return html`<dl class="panel">
    <dt>Last verified restore</dt>
    <dd>
      ${
        restored === null
          ? badge('odd', 'none was noted')
          : html`${badge(isOld ? 'odd' : 'good', ago(restored.checkedAt, at))} of the backup of
            ${minute(restored.backupAt)}, by ${restored.operator}. ${restored.note}`
      }
    </dd>
    <dt>Archive of the log</dt>
    <dd>
      ${archives ? 'on' : badge('odd', 'off')}${archive.lastArchivedAt && html`, last ${ago(archive.lastArchivedAt, at)}`}${
        archive.archiveFailures > 0 &&
        html`, ${archive.archiveFailures}
        failures${archive.lastArchiveFailureAt && html`, last ${ago(archive.lastArchiveFailureAt, at)}`}`
      }
    </dd>
  </dl>`
}

const restoreForm = (csrf: Html): Html =>
  html`<form method="post" action="${SYSTEM}/restored">
    ${csrf}<label>Moment of the backup (UTC) <input type="datetime-local" name="backup" required /></label>
    <label>Note <input name="note" maxlength="500" autocomplete="off" /></label>
    <button>Note a verified restore</button>
  </form>`

function exportFacts(
  schedule: ScheduleState | undefined,
  { isKnown, at }: { isKnown: boolean; at: Date },
): Html {
  if (!isKnown) return html`<p class="soft">Unknown: Temporal does not answer.</p>`
  if (!schedule) return html`<p class="soft">Off: EXPORT_TO is not set.</p>`
  const { lastAt, lastStatus, isPaused } = schedule
  const result = lastStatus === null ? '' : `, ${lastStatus.toLowerCase().replaceAll('_', ' ')}`
  return html`<p>
    ${lastAt ? `Last run ${ago(lastAt, at)}${result}.` : 'It has not run yet.'}${isPaused && ' It is paused.'}
  </p>`
}

const settingTable = (settings: readonly ShownSetting[]): Html =>
  table({
    label: 'Settings',
    columns: ['Setting', 'Value', 'From'],
    rows: settings
      .filter(({ value }) => value !== null)
      .map(({ name, value, isSet }) => [
        html`<code>${name}</code>`,
        value,
        isSet ? 'the environment' : 'default',
      ]),
  })
