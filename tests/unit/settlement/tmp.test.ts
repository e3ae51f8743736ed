import { BigNumber as M, MathBN } from "@medusajs/framework/utils"
import { toWireAmount, compareAmounts,toDecimalText } from "../../../src/settlement/amount"
import { amountOf } from "../../../src/providers/payment-service/session-data"
import { resolveOptions } from "../../../src/modules/payment-service/options"
import { accountOfProvider } from "../../../src/providers/payment-service/methods"
const t=(f:()=>unknown)=>{try{return f()}catch(e){return String(e)}}
it("x",()=>{
 const out:unknown[]=[]
 const b=new M("1199.988"), b2=new M({value:"12345678901234567890.125",precision:20} as never)
 for (const f of [toWireAmount,toDecimalText,amountOf] as ((a:any)=>unknown)[]) for (const v of [b,b2,MathBN.convert("1199.985"),{value:"1.005"},-1,-0.001,"-0.005","0x10","  5 ","1e3","+5","",null,undefined,true,[5],[1,2],NaN,Infinity,"1,5","1.","1_000",1e21,1.005,{},123456789012345680,0.1+0.2, "-0", {value:b}]) out.push([f.name, String(v), t(()=>f(v))])
 for (const patch of [{baseUrl:"nope"},{baseUrl:"HTTPS://x.test"},{baseUrl:"https://"},{payer:"canary"},{currencies:"canary"},{timeouts:{readMs:100.5}},{timeouts:{readMs:NaN}},{statuses:undefined},{statuses:{paid:"x"}},{storefronts:{sc:{successUrl:"https://a"}}},{storefronts:"canary"},{statuses:{}}, {baseUrl:"https://u:p@x.test/?a=1#x"},{secret:5},{secret:" "},{callbackToken:"canary-short"},{merchantId:"canary"},{description:""},{currencies:["rub",5]},{payer:{userId:"canary",foo:1}},{timeouts:5},{database:{}},{successUrl:"javascript:alert(1)"},{successUrl:"https://{country_code}.x.test/{order_id}?a={CART}"},{successUrl:"https://x.test/{secret}"}]){
  out.push([JSON.stringify(patch), t(()=>JSON.stringify(resolveOptions({baseUrl:"https://p.test/",merchantId:"11111111-1111-4111-8111-111111111111",secret:"s",statuses:{paid:["OK"]},successUrl:"https://s.test",failureUrl:"https://s.test",backendUrl:"https://b.test",...patch}).optionsFor("q")))])
 }
 for (const p of ["pp_sbp","pp_sbp_a","pp_sbp_a_b","pp_sbp_","pp_crypto_x","pp_sbpx_a","PP_SBP_a","pp_system_default",5,["pp_sbp_x"]]) out.push([p,accountOfProvider(p)])
 console.log(out.map(o=>JSON.stringify(o)).join("\n"))
})
