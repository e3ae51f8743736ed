/** The page on which a payment waits for the payer. */
export const payAddress = (sessionId: string) => `/checkout/pay?session=${sessionId}`

/** The page that shows what became of it; the backend sends the shopper back to it, too. */
export const resultAddress = (sessionId: string) => `/result?session=${sessionId}`
