import { open } from "lmdb"; import fs from "node:fs"; import os from "node:os"; import path from "node:path"; import { randomUUID } from "node:crypto";
import { openLmdbReadStore, READ_STORE_DATABASES } from "@travel-booking/read-store";
import { ProjectionFold } from "./src/folding/projection-fold.ts";
import { projections } from "./src/projections/index.ts";
import { created, paid, idsOf } from "../tests/reads/kit/bookings.ts";
const dir = fs.mkdtempSync(path.join(os.tmpdir(),"pb-")); const root = open({path:dir,noSubdir:false,overlappingSync:false,encoding:"binary",maxDbs:READ_STORE_DATABASES} as any);
const store = openLmdbReadStore(root as any);
const M = {accountId:null,actor:{kind:"credential",id:"c"},requestId:"r",commandId:"x",causationId:null};
const events:any[]=[]; let pos=0n;
const plan={flightId:"F",from:"LEO",destinationId:"k",departsAt:1e12+1e10,durationDays:3,cabins:[{cabin:"economy",deck:1,amount:1,currency:"USD",layout:"ABC DEF",rows:[1,50],exitRows:[],cryosleepRows:[],quietRows:[],accessible:[],blocked:[],surcharges:[]}]};
const N=Number(process.argv[2]??10000);
const rev:Record<string,number>={};
const push=(stream:string,e:any)=>{rev[stream]=(rev[stream]??-1)+1;events.push({id:randomUUID(),stream,revision:rev[stream],position:++pos,version:1,metadata:M,...e});};
for(let f=0;f<N/200;f++) push(`flight-F${f}`,{type:"FlightScheduled",at:1e12,data:{...plan,flightId:`F${f}`}});
for(let i=0;i<N;i++){const ids=idsOf(i);const f=`F${i%Math.ceil(N/200)}`;
 push(`flight-${f}`,{type:"SeatsAllocated",at:1e12,data:{bookingId:ids.booking,accountId:"acc_1",cabin:"economy",passengers:1,seats:[],holdId:null,fareAmount:1,currency:"USD",surcharges:[]}});
 for(const e of [created(ids),...paid(ids,1e12)]) push(`booking-${ids.booking}`,e);}
for (const p of projections){ await store.create({projection:p.name,generation:1},1); const fold=new ProjectionFold(store,p,{projection:p.name,generation:1},0n as any);
 const t=performance.now(); for(let i=0;i<events.length;i+=5000){await fold.fold(events.slice(i,i+5000)); const b=fold.take(); await store.write([b]); fold.written(b);} const s=(performance.now()-t)/1000;
 const h=events.filter(e=>p.handlers[e.stream.split("-")[0]]).length; console.log(p.name,h,"events", Math.round(h/s),"events/s");}
await root.close(); fs.rmSync(dir,{recursive:true});
