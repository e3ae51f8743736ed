import { NextRequest, NextResponse } from "next/server"

/** Every page of the shop is below a country; links without one, such as the dashboard's, are led there. */
export function middleware(request: NextRequest) {
  const url = request.nextUrl.clone()
  if (/^\/ru(\/|$)/.test(url.pathname)) return NextResponse.next()
  url.pathname = `/ru${url.pathname}`
  return NextResponse.redirect(url, 307)
}

export const config = { matcher: ["/((?!_next|favicon.ico).*)"] }
