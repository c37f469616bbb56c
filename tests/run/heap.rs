// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collections, boxes, strings, trait objects and reference counts in kernels: 256 threads of four blocks at once, what one frees another gets.
// REFERENCE: compute input=[3000000007,4000000001,12345,77,9,500000003,1,65536] out=256
// REQUIRES: exporter
// RUN: %mirgpu export %s -o %t.mir.json
// RUN: %mirgpu run %t.mir.json --kernel work --grid 4 --block 64 --arg input=u32:[3000000007,4000000001,12345,77,9,500000003,1,65536] --arg out=u32[256]:zeros --print out 2>&1 | %FileCheck %s
// RUN: %mirgpu run %t.mir.json --kernel work -O0 --grid 4 --block 64 --arg input=u32:[3000000007,4000000001,12345,77,9,500000003,1,65536] --arg out=u32[256]:zeros --print out 2>&1 | %FileCheck %s
// RUN: %mirgpu run %t.mir.json --kernel work --grid 2 --block 128 --schedule=seed:5 --heap 3000000 --arg input=u32:[3000000007,4000000001,12345,77,9,500000003,1,65536] --arg out=u32[256]:zeros --print out 2>&1 | %FileCheck %s
// RUN: %mirgpu compile %t.mir.json --target=sm_90 -o %t
// RUN: %mirgpu compile %t.mir.json --target=sm_90,gfx1100 -O0 -o %t
// CHECK-NOT: not freed
// CHECK: out = [3732544776, 625508773, 1921391836, 482208561, 2410908430, 711171333, 3373204373, 1137518216, 3646625142, 2682865373, 4209574592, 4080610554, 3542079466, 248319201, 3938470760, 4042605103, 3250578673, 3363343732, 739067229, 2813561087, 1744714824, 3399233374, 2226415421, 2942913196, 1288925537, 644801485, 1566179939, 479635256, 2704896728, 1728110118, 3463174840, 2258510296, 1803245687, 559919218, 854135250, 3808741519, 3484615626, 1278168968, 3661185238, 1742162192, 2086707629, 1951233068, 1567418253, 1107124344, 3045948750, 379465023, 2171445694, 1787782799, 1403565720, 631834224, 270351240, 2588361442, 2407224028, 3340640839, 1627810692, 1976175338, 2133745822, 636753182, 3269450972, 538422257, 1624912559, 2150971589, 2366631605, 1594759227, 2356296482, 1731420673, 1733359008, 1230821459, 2891997999, 995275230, 110453458, 141113760, 456789399, 3107934505, 2354955815, 3350827401, 1893697697, 3657449890, 1823488946, 3546272608, 716525419, 3071173718, 184138611, 786179420, 3775306181, 324069436, 3700255111, 2821992788, 747529979, 1334655704, 1973699063, 3563660715, 613687602, 1895663577, 2343289714, 2563808589, 2466595028, 3163243792, 992558222, 962464302, 3412197255, 3193582343, 2177460820, 50503736, 3570216750, 312270674, 313595647, 2618570990, 701854354, 2971639514, 2767143064, 2267048997, 878019748, 2693056052, 3153455818, 595070158, 985926196, 2047566905, 2625931059, 2314054255, 3610476810, 4213811446, 2214900693, 930852320, 2434951856, 1919626886, 3162824860, 3433981622, 1045430435, 1175250183, 1951941633, 4230937452, 377536555, 3859515541, 1633579772, 2717813320, 1987322988, 3993460996, 3746438728, 3706929876, 3380455397, 530513675, 1674393931, 424599855, 2011109404, 2786146414, 3395747157, 1932677659, 1090483018, 3798635217, 4173080454, 3158801541, 2823593887, 2155648243, 190552463, 415853726, 3568073758, 1613869660, 3451790243, 1102607117, 536740387, 4043972321, 4081280905, 3418685510, 3526992692, 1148012759, 4006581534, 3146835034, 3082917657, 2502717532, 1993597625, 3626130820, 408398903, 3828044392, 2381063572, 3700319675, 329591734, 1145270931, 2844153381, 1835644390, 1317529234, 1703264254, 776866820, 981883450, 614239622, 2035755337, 2215743681, 2191903065, 834540244, 2982787696, 1753994819, 3819965177, 244298395, 234512737, 1409862509, 493358203, 3926331201, 2896376633, 1417085673, 2169678904, 2214457016, 2982202581, 765286758, 1709409301, 1178235638, 3635959555, 2360181917, 1025531367, 3918798469, 3639652560, 963721181, 53715776, 1245795770, 3239428815, 898851358, 4120966064, 1655251416, 314986783, 3495899598, 3524393698, 3780382410, 411229407, 3885441425, 2645159267, 1015327367, 2677094028, 3946853056, 1165006342, 4207386302, 2798378492, 4031349110, 3225235421, 54376667, 1112441731, 3057542801, 689637700, 2475869229, 3407789387, 2911855166, 3877877883, 2105170506, 1773865103, 3639125878, 2009621782, 3925489158, 831672477, 2503135911, 3451634915, 3715079295, 462461425, 2374455725, 3933230632, 2918072903, 3369975116, 90004335, 82420056]
// CHECK-NOT: not freed
#![no_std]
extern crate alloc;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use core::cell::RefCell;
use mirgpu_device::prelude::*;

fn digest(h: &mut u32, v: u64) {
    *h = h.rotate_left(5) ^ v as u32 ^ (v >> 32) as u32;
}

/// Grown, sorted, filtered, cut, joined.
fn vectors(x: &[u32], i: u32, h: &mut u32) {
    let mut v: Vec<u64> = Vec::new();
    for k in 0..i % 300 {
        v.push(u64::from(x[k as usize % x.len()]) << (k % 24) ^ u64::from(i));
    }
    v.sort();
    v.dedup();
    v.retain(|e| e % 3 != 0);
    v.reverse();
    let tail = v.split_off(v.len() / 2);
    v.extend_from_slice(&tail[tail.len() / 3..]);
    v.insert(v.len() / 2, 5);
    v.shrink_to_fit();
    v.iter().for_each(|&e| digest(h, e));
    let zeroed = vec![0u32; 1 + i as usize % 2000];
    digest(h, zeroed.iter().map(|&z| u64::from(z)).sum::<u64>() + zeroed.len() as u64);
    let rows: Vec<Vec<u8>> = (0..i % 9).map(|r| vec![r as u8; r as usize * 40]).collect();
    digest(h, rows.concat().iter().map(|&b| u64::from(b)).sum());
}

fn texts(x: &[u32], i: u32, h: &mut u32) {
    let mut s = String::new();
    for (k, v) in x.iter().enumerate() {
        s += &format!("{k}:{v:>12x}|{:?};", (*v as i32, i as f32 / 8.0));
    }
    let words: Vec<&str> = s.split('|').filter(|w| w.contains('7')).collect();
    s.bytes().for_each(|b| digest(h, u64::from(b)));
    words.join("-").chars().rev().for_each(|c| digest(h, c as u64));
}

trait Shape {
    fn area(&self) -> u64;
}
struct Square(u32);
struct Stack(Vec<Box<dyn Shape>>);
impl Shape for Square {
    fn area(&self) -> u64 {
        u64::from(self.0) * u64::from(self.0)
    }
}
impl Shape for Stack {
    fn area(&self) -> u64 {
        self.0.iter().map(|s| s.area()).fold(1, u64::wrapping_add)
    }
}

enum Tree {
    Leaf(u32),
    Node(Box<Tree>, Box<Tree>),
}
fn grow(depth: u32, seed: u32) -> Tree {
    if depth == 0 {
        return Tree::Leaf(seed);
    }
    Tree::Node(Box::new(grow(depth - 1, seed * 3)), Box::new(grow(depth - 1, seed ^ depth)))
}
fn sum(tree: &Tree) -> u64 {
    match tree {
        Tree::Leaf(v) => u64::from(*v),
        Tree::Node(l, r) => sum(l).wrapping_mul(3).wrapping_add(sum(r)),
    }
}

fn objects(x: &[u32], i: u32, h: &mut u32) {
    let mut all: Vec<Box<dyn Shape>> = Vec::new();
    for &v in x {
        all.push(if v % 2 == 0 { Box::new(Square(v ^ i)) } else { Box::new(Stack(vec![Box::new(Square(i)), Box::new(Square(v))])) });
    }
    digest(h, Stack(all).area());
    digest(h, sum(&grow(i % 6, i & 0xFFFF)));
    let add: Box<dyn Fn(u64) -> u64> = if i % 3 == 0 { Box::new(move |v| v + u64::from(i)) } else { Box::new(|v| v * 2) };
    digest(h, add(7));
}

fn maps(x: &[u32], i: u32, h: &mut u32) {
    let mut map = BTreeMap::new();
    for k in 0..i % 70 {
        *map.entry(x[k as usize % x.len()] >> (k % 9)).or_insert(0u32) += k;
    }
    map.retain(|k, _| k % 5 != 0);
    map.range(100..).take(20).for_each(|(k, v)| digest(h, u64::from(k ^ v)));
    let shared = Rc::new(RefCell::new(VecDeque::new()));
    let other = Rc::clone(&shared);
    for (k, v) in map {
        other.borrow_mut().push_front(v);
        shared.borrow_mut().push_back(k);
    }
    digest(h, Rc::strong_count(&shared) as u64);
    drop(other);
    let queue = Rc::try_unwrap(shared).ok().unwrap().into_inner();
    queue.iter().for_each(|&v| digest(h, u64::from(v)));
}

fn all(x: &[u32], i: u32) -> u32 {
    let mut h = i;
    vectors(x, i, &mut h);
    texts(x, i, &mut h);
    objects(x, i, &mut h);
    maps(x, i, &mut h);
    h
}

pub fn compute(x: &[u32], out: &mut [u32]) {
    for (i, o) in out.iter_mut().enumerate() {
        *o = all(x, i as u32);
    }
}

#[gpu_module(heap)]
mod kernels {
    use super::*;
    #[kernel]
    pub fn work(input: &[u32], mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            *o = all(input, i.get() as u32);
        }
    }
}
