import { type FindOptions, findOrInstall } from '../../cli/find-or-install.ts'

export const findRuby = (options: FindOptions): Promise<string> =>
  findOrInstall(
    {
      names: ['ruby'],
      debianPackage: 'ruby',
      missing: 'no Ruby was found for the test of its standard client',
      advice: 'Install Ruby.',
    },
    options,
  )
