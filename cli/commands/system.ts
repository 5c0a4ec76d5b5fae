import { userInfo } from 'node:os'
import { noteRestoreCheck, readBackupState, readDatabaseState } from '../../db/console/read-system.ts'
import { readManifest } from '../../export/manifest.ts'
import { shownSettings } from '../../ops/settings/shown-settings.ts'
import { VERSION } from '../../ops/settings/version.ts'
import { UsageError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { exportTarget } from '../export-target.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { printRecord, printRows, toJson } from '../print.ts'
import type { SYSTEM } from '../specs/system.ts'

export function run(given: Given<typeof SYSTEM>): Promise<void> {
  return withOperatorDatabase(async (db) => {
    if (given.action === 'note-restore') {
      const { backup: backupAt, note } = given
      if (backupAt > new Date()) throw new UsageError('--backup must not be in the future')
      await noteRestoreCheck(db, { backupAt, note, operator: userInfo().username })
      if (given.json) return printRecord({ backupAt, note }, given)
      return console.log('noted; "sluice system" and the console show it')
    }
    const [database, backups, manifest] = await Promise.all([
      readDatabaseState(db),
      readBackupState(db),
      readManifest(exportTarget()),
    ])
    const settings = shownSettings(operatorEnvironment()).filter(({ value }) => value !== null)
    const versions = { sluice: VERSION, node: process.versions.node, postgres: database.version }
    const exportedAt = manifest && new Date(manifest.exportedAt)
    if (given.json) return console.log(toJson({ versions, database, backups, exportedAt, settings }))
    printRecord({ ...versions, ...database, version: undefined }, given)
    console.log()
    const { restored, ...archive } = backups
    printRecord(
      {
        'last verified restore': restored
          ? `${restored.checkedAt.toISOString()}, of the backup of ${restored.backupAt.toISOString()}, by ${restored.operator}`
          : 'none was noted',
        ...archive,
        'exported at': exportedAt ?? 'never',
      },
      given,
    )
    console.log()
    printRows(
      settings.map(({ name, value, isSet }) => ({ setting: name, value, from: isSet ? 'set' : 'default' })),
      given,
    )
  })
}
