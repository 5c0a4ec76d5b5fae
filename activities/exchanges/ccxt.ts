/**
 * Loads CCXT at its first use. Its classes of all exchanges take seconds and 100 MB, which a worker without
 * exchange accounts does not need.
 */
export const loadCcxt = () => import('ccxt')
