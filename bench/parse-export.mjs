// The yardstick of exports, in a process of its own, so that its time is nobody else's. Prints seconds.
import axios from "axios"

const [url, shortUrl] = process.argv.slice(2)
const parse = async (address) => {
  const { data } = await axios.post(address, "{}", { responseType: "arraybuffer" })
  return JSON.parse(data.toString())
}
// With a short list first, so that code is compiled before it is measured.
await parse(shortUrl)
const began = performance.now()
await parse(url)
console.log((performance.now() - began) / 1000)
