import { type FindOptions, findOrInstall } from './find-or-install.ts'

/** Finds the browser of the tests. */
export const findChromium = (options: FindOptions): Promise<string> =>
  findOrInstall(
    {
      names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
      variable: 'CHROMIUM_PATH',
      debianPackage: 'chromium',
      missing: 'no Chromium was found for the browser test',
      advice: 'Install Chromium or Chrome, or set CHROMIUM_PATH to one.',
    },
    options,
  )
