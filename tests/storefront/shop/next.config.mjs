/** @type {import("next").NextConfig} */
export default {
  reactStrictMode: true,
  // The shop is built outside of its repository; without this Next.js looks for a workspace above it.
  outputFileTracingRoot: import.meta.dirname,
  // For so few pages, further workers cost more than they bring.
  experimental: { cpus: 1, webpackBuildWorker: false },
}
