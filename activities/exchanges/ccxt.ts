/**
 * CCXT, loaded when an account is asked for the first time: its classes of all exchanges take seconds and 100 MB, which
 * a worker without connected accounts does not need.
 */
export const loadCcxt = () => import('ccxt')
